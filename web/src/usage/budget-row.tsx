import { CircleOff, CirclePlay, List, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useChange } from "../shell/use-change.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import { ConfirmChange } from "../shell/confirm-change.tsx";
import { join } from "../ui/join.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { notifyFailure } from "../ui/notices.tsx";
import { BudgetMeter, formatAmount } from "./budget-meter.tsx";
import { MadeBy } from "./made-by.tsx";
import {
  type Budget,
  changeBudget,
  deleteBudget,
  budgetQuery,
  spendersQuery,
} from "./queries.ts";
import { useUsageTexts } from "./texts.ts";
import { useNewest } from "../shell/use-newest.ts";
import { useOwnChanges } from "../shell/use-own-changes.ts";
import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import { AmountFields, readAmount } from "./amount-fields.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { useList } from "../shell/use-list.ts";
import { Dialog } from "../ui/dialog.tsx";
import { More } from "../ui/more.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";

const KEYS = [["budgets"]];

type Dialog = "change" | "spenders" | "delete";

/** A budget: whom it limits, the highest use, and its actions. */
export function BudgetRow({ budget }: { budget: Budget }) {
  const texts = useUsageTexts();
  const [dialog, setDialog] = useState<Dialog>();
  const items = useBudgetActions(budget, setDialog);
  const { name, enabled, unit, subjectType, highest } = budget;
  const close = () => setDialog(undefined);
  return (
    <li className={join("flex items-start gap-2 py-3", !enabled && "opacity-70")}>
      <div className="grid min-w-0 flex-1 gap-x-6 gap-y-1 md:grid-cols-2">
        <Limits budget={budget} />
        {subjectType === "run" ? (
          <p className="text-muted">
            {texts.perAnswer(formatAmount(budget.amount, unit), unit)}
          </p>
        ) : (
          <BudgetMeter budget={budget} spent={highest} />
        )}
      </div>
      <ActionsMenu label={texts.actions(name)} items={items} />
      {dialog === "change" && <ChangeBudgetDialog budget={budget} onClose={close} />}
      {dialog === "spenders" && <Spenders budget={budget} onClose={close} />}
      {dialog === "delete" && <Deletion budget={budget} onClose={close} />}
    </li>
  );
}

function useBudgetActions(
  { id, enabled, subjectType }: Budget,
  open: (dialog: Dialog) => void,
): MenuItem[] {
  const texts = useUsageTexts();
  const toggle = useChange({
    run: () => changeBudget(id, { enabled: !enabled }),
    keys: KEYS,
  });
  const who = {
    key: "who",
    label: texts.who,
    icon: List,
    onChoose: () => open("spenders"),
  };
  return [
    // the budget of an answer has nobody who spends from it
    ...(subjectType === "run" ? [] : [who]),
    {
      key: "change",
      label: texts.change,
      icon: Pencil,
      onChoose: () => open("change"),
    },
    {
      key: "toggle",
      label: enabled ? texts.disable : texts.enable,
      icon: enabled ? CircleOff : CirclePlay,
      onChoose: () => toggle.mutate(undefined, { onError: notifyFailure }),
    },
    {
      key: "delete",
      label: texts.delete,
      icon: Trash2,
      isDanger: true,
      onChoose: () => open("delete"),
    },
  ];
}

/** The limited users, and their total use. */
function Limits({ budget }: { budget: Budget }) {
  const texts = useUsageTexts();
  const { name, enabled, unit, spent, highest } = budget;
  return (
    <div className="min-w-0">
      <p className="font-medium wrap-anywhere">
        <bdi>{name}</bdi>
        {!enabled && <span className="ml-2 text-xs text-muted">{texts.isOff}</span>}
      </p>
      <p className="text-muted">{texts.limits(budget)}</p>
      <MadeBy budget={budget} />
      {highest < spent && (
        <p className="text-xs text-muted">{texts.together(formatAmount(spent, unit))}</p>
      )}
    </div>
  );
}

function Deletion({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const texts = useUsageTexts();
  return (
    <ConfirmChange
      title={texts.deleteTitle}
      text={texts.deleteText(budget.name)}
      action={texts.delete}
      run={() => deleteBudget(budget.id)}
      keys={KEYS}
      done={texts.deleted(budget.name)}
      onClose={onClose}
    />
  );
}

type Fields = Pick<Budget, "name" | "amount" | "warnAt">;

/** Gives a budget another name, amount or warning; it counts from the next message on. */
function ChangeBudgetDialog({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const texts = useUsageTexts();
  const readNewest = useNewest(budgetQuery(budget.id));
  const ownChanges = useOwnChanges({
    stored: toFields(budget),
    readNewest: async () => toFields(await readNewest()),
    names: { name: texts.name, amount: texts.amount[budget.unit], warnAt: texts.warnAt },
  });
  const change = useChange({
    run: async (fields: Fields) =>
      changeBudget(budget.id, (await ownChanges(fields)).changes),
    keys: [["budgets"]],
    onDone: onClose,
  });
  return (
    <FormDialog
      title={texts.change}
      action={texts.save}
      busy={change.isPending}
      error={change.error}
      onSubmit={(fields) =>
        change.mutate({ name: textOf(fields, "name"), ...readAmount(fields) })
      }
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        name="name"
        defaultValue={budget.name}
        maxLength={200}
        required
        autoFocus
      />
      <AmountFields unit={budget.unit} amount={budget.amount} warnAt={budget.warnAt} />
    </FormDialog>
  );
}

/** As the fields show them: the warning in whole percents. */
function toFields({ name, amount, warnAt }: Fields): Fields {
  return { name, amount, warnAt: Math.round(warnAt * 100) / 100 };
}

/** Who spent how much of a budget in the current period, highest first. */
function Spenders({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const texts = useUsageTexts();
  const { id, name, unit } = budget;
  const list = useList(spendersQuery(id));
  return (
    <Dialog title={texts.whoTitle(name)} onClose={onClose}>
      {list.isPending && <Loading shape="list" lines={3} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.total === 0 && <Empty title={texts.nobodySpent} />}
      {list.data && list.data.total > 0 && (
        <DataTable
          caption={texts.whoTitle(name)}
          rows={list.data.items}
          keyOf={({ spender }) => spender}
          columns={[
            {
              key: "who",
              label: texts.name,
              cell: ({ spender, name: known }) => (
                <bdi>{known ?? (spender === "pool" ? texts.everybody : spender)}</bdi>
              ),
            },
            {
              key: "spent",
              label: texts.used,
              isNumber: true,
              cell: ({ spent }) => formatAmount(spent, unit),
            },
          ]}
        />
      )}
      <More list={list} />
    </Dialog>
  );
}
