import { useChange } from "../shell/use-change.ts";
import { useNewest } from "../shell/use-newest.ts";
import { useOwnChanges } from "../shell/use-own-changes.ts";
import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import { AmountFields, readAmount } from "./amount-fields.tsx";
import { type Budget, budgetQuery, changeBudget } from "./queries.ts";
import { useUsageTexts } from "./texts.ts";

type Fields = Pick<Budget, "name" | "amount" | "warnAt">;

/** Gives a budget another name, amount or warning; it counts from the next message on. */
export function ChangeBudgetDialog({
  budget,
  onClose,
}: {
  budget: Budget;
  onClose: () => void;
}) {
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
