import { useQuery } from "@tanstack/react-query";
import { ownBudgetsQuery } from "../shell/budget-queries.ts";
import { Section } from "../ui/section.tsx";
import { BudgetMeter } from "./budget-meter.tsx";
import { MadeBy } from "./made-by.tsx";
import type { BudgetState } from "./queries.ts";
import { useUsageTexts } from "./texts.ts";

/** The budgets that limit the reader; nothing where there are none. */
export function OwnBudgets() {
  const texts = useUsageTexts();
  const { data } = useQuery(ownBudgetsQuery);
  if (!data || data.budgets.length === 0) return null;
  return (
    <Section title={texts.own} hint={texts.ownHint}>
      <ul className="grid gap-4 sm:grid-cols-2">
        {data.budgets.map((budget) => (
          <li
            key={budget.budgetId}
            className="rounded-lg border border-hairline bg-raised p-3"
          >
            <p className="font-medium">
              <bdi>{budget.name}</bdi>
            </p>
            <p className="mb-2 text-xs text-muted">
              {isOnlyMine(budget) ? texts.limitsYou(budget) : texts.limits(budget)}
            </p>
            <BudgetMeter budget={budget} spent={budget.spent} />
            <MadeBy budget={budget} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function isOnlyMine({ subjectType, subjectId }: BudgetState): boolean {
  return subjectType === "user" && subjectId !== "*";
}
