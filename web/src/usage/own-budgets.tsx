import { useQuery } from "@tanstack/react-query";
import { ownBudgetsQuery } from "../shell/budget-queries.ts";
import { Section } from "../ui/section.tsx";
import { BudgetMeter } from "./budget-meter.tsx";
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
            <p className="mb-2 font-medium">
              <bdi>{budget.name}</bdi>
            </p>
            <BudgetMeter budget={budget} spent={budget.spent} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
