import { TextField } from "../ui/text-field.tsx";
import type { Budget } from "./queries.ts";
import { useUsageTexts } from "./texts.ts";

const PERCENT = 100;

interface AmountFieldsProps extends Partial<Pick<Budget, "amount" | "warnAt">> {
  unit: Budget["unit"];
}

/** How much a budget allows, and from when on it warns. */
export function AmountFields({ unit, amount, warnAt = 0.8 }: AmountFieldsProps) {
  const texts = useUsageTexts();
  return (
    <div className="flex flex-wrap gap-3">
      <TextField
        label={texts.amount[unit]}
        name="amount"
        className="min-w-0 flex-1 basis-40"
        type="number"
        min={unit === "tokens" ? 1 : 0.01}
        step={unit === "tokens" ? 1 : "any"}
        max={1e13}
        defaultValue={amount}
        required
      />
      <TextField
        label={texts.warnAt}
        name="warnAt"
        className="min-w-0 flex-1 basis-40"
        type="number"
        min={0}
        max={PERCENT}
        defaultValue={Math.round(warnAt * PERCENT)}
        required
      />
    </div>
  );
}

export function readAmount(fields: FormData): { amount: number; warnAt: number } {
  return {
    amount: Number(fields.get("amount")),
    warnAt: Number(fields.get("warnAt")) / PERCENT,
  };
}
