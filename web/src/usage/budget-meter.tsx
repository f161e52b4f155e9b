import { Meter } from "../charts/meter.tsx";
import { formatDate, formatNumber } from "../texts/format.ts";
import { forecast } from "./forecast.ts";
import { formatSpending } from "./report.ts";
import type { BudgetState } from "./queries.ts";
import { useUsageTexts } from "./texts.ts";

interface BudgetMeterProps {
  budget: Pick<BudgetState, "name" | "unit" | "amount" | "startsAt" | "resetsAt"> & {
    warnAt?: number;
  };
  spent: number;
}

const USUAL_WARNING = 0.8;

/** How much of a budget is used, a forecast, and when its next period begins. */
export function BudgetMeter({ budget, spent }: BudgetMeterProps) {
  const texts = useUsageTexts();
  const { name, unit, amount, startsAt, resetsAt, warnAt = USUAL_WARNING } = budget;
  const show = (value: number) => formatAmount(value, unit);
  const expected = forecast({ spent, startsAt, resetsAt });
  const facts = [
    texts.spent(
      show(spent),
      `${show(amount)}${unit === "tokens" ? ` ${texts.tokens}` : ""}`,
    ),
    spent >= amount && texts.usedUp,
    expected !== undefined && spent < amount && expected > amount && texts.willExceed,
    expected !== undefined &&
      spent > 0 &&
      expected <= amount &&
      texts.expected(show(expected)),
    resetsAt !== null && texts.resets(formatDate(resetsAt)),
  ];
  return (
    <div className="grid w-full gap-1">
      <Meter label={name} share={spent / amount} warnAt={warnAt} />
      <p className="text-xs text-muted">{facts.filter(Boolean).join(" · ")}</p>
    </div>
  );
}

export function formatAmount(value: number, unit: BudgetState["unit"]): string {
  if (unit === "money") return formatSpending(value, null);
  return formatNumber(Math.round(value));
}
