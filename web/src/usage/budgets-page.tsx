import { Plus, Wallet } from "lucide-react";
import { useState } from "react";
import { Permitted } from "../shell/permitted.tsx";
import { useList } from "../shell/use-list.ts";
import { Button } from "../ui/button.tsx";
import { More } from "../ui/more.tsx";
import { Section } from "../ui/section.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { BudgetRow } from "./budget-row.tsx";
import { budgetsQuery, type Budget, createBudget, type NewBudget } from "./queries.ts";
import { useUsageTexts } from "./texts.ts";
import type { Subject } from "../shell/subject-queries.ts";
import { FindSubject } from "../shell/find-subject.tsx";
import { useChange } from "../shell/use-change.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { SelectField } from "../ui/select-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import { AmountFields, readAmount } from "./amount-fields.tsx";

/** All budgets, with whom they limit and what is used. */
export function BudgetsPage() {
  return (
    <Permitted permission="budget:administer">
      <Budgets />
    </Permitted>
  );
}

function Budgets() {
  const texts = useUsageTexts();
  const list = useList(budgetsQuery);
  const [isCreating, setCreating] = useState(false);
  const isEmpty = list.data?.total === 0;
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden size={16} />
      {texts.create}
    </Button>
  );
  return (
    <Section
      title={texts.tabs.budgets}
      isNamedAbove
      hint={texts.budgetsHint}
      actions={!list.isPending && !isEmpty && create}
    >
      {list.isPending && <Loading shape="list" lines={6} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((budget) => (
          <BudgetRow key={budget.id} budget={budget} />
        ))}
      </ul>
      {isEmpty && (
        <Empty icon={Wallet} picture="rows" title={texts.noBudgets} action={create}>
          {texts.noBudgetsHint}
        </Empty>
      )}
      <More list={list} />
      {isCreating && <NewBudgetDialog onClose={() => setCreating(false)} />}
    </Section>
  );
}

const WHOM = ["everybody", "one", "agents", "answer"] as const;
const PERIODS = ["day", "week", "month", "total"] as const;
type Whom = (typeof WHOM)[number];

/** Limits what everybody, a person, a group, an agent or a single answer may use. */
function NewBudgetDialog({ onClose }: { onClose: () => void }) {
  const texts = useUsageTexts();
  const [whom, setWhom] = useState<Whom>("everybody");
  const [subject, setSubject] = useState<Subject>();
  const [unit, setUnit] = useState<Budget["unit"]>("tokens");
  const [lacksSubject, setLacksSubject] = useState(false);
  const create = useChange({
    run: (budget: NewBudget) => createBudget(budget),
    keys: [["budgets"]],
    onDone: onClose,
  });
  const submit = (fields: FormData) => {
    const isMissing = whom === "one" && !subject;
    setLacksSubject(isMissing);
    if (isMissing) return;
    create.mutate({
      name: textOf(fields, "name"),
      ...subjectOf(whom, subject),
      share: fields.get("pool") === null ? "each" : "pool",
      unit,
      ...readAmount(fields),
      period: PERIODS.find((period) => period === fields.get("period")) ?? "month",
    });
  };
  return (
    <FormDialog
      title={texts.create}
      action={texts.create}
      size="medium"
      busy={create.isPending}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label={texts.name} name="name" maxLength={200} required autoFocus />
      <WhomField whom={whom} onChange={setWhom} />
      {whom === "one" && (
        <Chosen subject={subject} isMissing={lacksSubject} onChange={setSubject} />
      )}
      {subject?.subjectType === "group" && whom === "one" && (
        <Checkbox name="pool" label={texts.pool} hint={texts.poolHint} />
      )}
      <div className="flex flex-wrap gap-3">
        <UnitField unit={unit} onChange={setUnit} />
        {whom !== "answer" && <PeriodField />}
      </div>
      <AmountFields key={unit} unit={unit} />
    </FormDialog>
  );
}

interface WhomFieldProps {
  whom: Whom;
  onChange: (whom: Whom) => void;
}

function WhomField({ whom, onChange }: WhomFieldProps) {
  const texts = useUsageTexts();
  return (
    <SelectField
      label={texts.whom}
      value={whom}
      onChange={({ target }) => onChange(WHOM[target.selectedIndex] ?? "everybody")}
    >
      {WHOM.map((one) => (
        <option key={one} value={one}>
          {texts.whomOptions[one]}
        </option>
      ))}
    </SelectField>
  );
}

interface UnitFieldProps {
  unit: Budget["unit"];
  onChange: (unit: Budget["unit"]) => void;
}

function UnitField({ unit, onChange }: UnitFieldProps) {
  const texts = useUsageTexts();
  return (
    <SelectField
      label={texts.unit}
      className="min-w-0 flex-1 basis-40"
      value={unit}
      onChange={({ target }) => onChange(target.value === "money" ? "money" : "tokens")}
    >
      <option value="tokens">{texts.units.tokens}</option>
      <option value="money">{texts.units.money}</option>
    </SelectField>
  );
}

function PeriodField() {
  const texts = useUsageTexts();
  return (
    <SelectField
      label={texts.period}
      name="period"
      className="min-w-0 flex-1 basis-40"
      defaultValue="month"
    >
      {PERIODS.map((period) => (
        <option key={period} value={period}>
          {texts.periods[period]}
        </option>
      ))}
    </SelectField>
  );
}

interface ChosenProps {
  subject: Subject | undefined;
  isMissing: boolean;
  onChange: (subject: Subject | undefined) => void;
}

function Chosen({ subject, isMissing, onChange }: ChosenProps) {
  const texts = useUsageTexts();
  if (subject) {
    return (
      <p className="flex items-center gap-3">
        <bdi className="min-w-0 truncate font-medium">{subject.name}</bdi>
        <Button look="quiet" onClick={() => onChange(undefined)}>
          {texts.another}
        </Button>
      </p>
    );
  }
  return (
    <div>
      <FindSubject label={texts.find} onChoose={onChange} />
      {isMissing && (
        <p role="alert" className="text-xs text-danger">
          {texts.chooseOne}
        </p>
      )}
    </div>
  );
}

function subjectOf(whom: Whom, subject: Subject | undefined) {
  if (whom === "one" && subject) {
    return { subjectType: subject.subjectType, subjectId: subject.subjectId };
  }
  const types = { everybody: "user", one: "user", agents: "agent", answer: "run" } as const;
  return { subjectType: types[whom], subjectId: "*" };
}
