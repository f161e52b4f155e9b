import { Wallet } from "lucide-react";
import { useState } from "react";
import { Permitted } from "../shell/permitted.tsx";
import { useList } from "../shell/use-list.ts";
import { Button } from "../ui/button.tsx";
import { More } from "../ui/more.tsx";
import { Section } from "../ui/section.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { BudgetRow } from "./budget-row.tsx";
import { NewBudgetDialog } from "./new-budget.tsx";
import { budgetsQuery } from "./queries.ts";
import { useUsageTexts } from "./texts.ts";

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
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <Section title={texts.tabs.budgets} hint={texts.budgetsHint} actions={create}>
      {list.isPending && <Loading lines={6} className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((budget) => (
          <BudgetRow key={budget.id} budget={budget} />
        ))}
      </ul>
      {list.data?.total === 0 && (
        <Empty icon={Wallet} title={texts.noBudgets}>
          {texts.noBudgetsHint}
        </Empty>
      )}
      <More list={list} />
      {isCreating && <NewBudgetDialog onClose={() => setCreating(false)} />}
    </Section>
  );
}
