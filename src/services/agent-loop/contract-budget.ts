import { z } from "zod";
import type { Usage } from "../completion/contract.ts";

/** The limits of one run. */
export const RunBudget = z.object({
  amount: z.number().min(0).max(1e13).describe("0: one turn without tools"),
  inputPrice: z
    .number()
    .min(0)
    .max(1e9)
    .default(1)
    .describe("Price of a token. 1: the amount is in tokens"),
  outputPrice: z.number().min(0).max(1e9).default(1),
  cachedInputPrice: z
    .number()
    .min(0)
    .max(1e9)
    .optional()
    .describe("Of input that the provider had in its cache; absent: as of other input"),
  cacheWriteInputPrice: z
    .number()
    .min(0)
    .max(1e9)
    .optional()
    .describe("Of input that the provider puts into its cache; absent: as of other input"),
});
export type RunBudget = z.output<typeof RunBudget>;

/** Whether one of the budgets is used up. */
export function isUsedUp(budgets: readonly RunBudget[] = [], usage: Usage): boolean {
  return budgets.some((budget) => spentOf(budget, usage) >= budget.amount);
}

/** What earlier runs of a reply leave for the next one. */
export function remainingBudgets(
  budgets: readonly RunBudget[] = [],
  usage: Usage | null,
): RunBudget[] {
  return budgets.map((budget) => ({
    ...budget,
    amount: Math.max(0, budget.amount - (usage ? spentOf(budget, usage) : 0)),
  }));
}

function spentOf(
  { inputPrice, outputPrice, cachedInputPrice, cacheWriteInputPrice }: RunBudget,
  { inputTokens, outputTokens, cachedInputTokens, cacheWriteInputTokens }: Usage,
): number {
  const cached = cachedInputTokens ?? 0;
  const written = cacheWriteInputTokens ?? 0;
  return (
    (inputTokens - cached - written) * inputPrice +
    cached * (cachedInputPrice ?? inputPrice) +
    written * (cacheWriteInputPrice ?? inputPrice) +
    outputTokens * outputPrice
  );
}
