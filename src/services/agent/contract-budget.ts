import { z } from "zod";
import type { Usage } from "../completion/contract.ts";

/** What one run may use at most. */
export const RunBudget = z.object({
  amount: z.number().min(0).max(1e13).describe("0: one turn without tools"),
  inputPrice: z
    .number()
    .min(0)
    .max(1e9)
    .default(1)
    .describe("Of a token. 1: the amount is in tokens"),
  outputPrice: z.number().min(0).max(1e9).default(1),
});
export type RunBudget = z.output<typeof RunBudget>;

/** What is left of each after a use. */
export function restOf(
  budgets: readonly RunBudget[],
  { inputTokens, outputTokens }: Usage,
): RunBudget[] {
  return budgets.map(({ amount, inputPrice, outputPrice }) => ({
    amount: Math.max(0, amount - inputTokens * inputPrice - outputTokens * outputPrice),
    inputPrice,
    outputPrice,
  }));
}

/** Whether nothing is left of one of them. */
export function isUsedUp(budgets: readonly RunBudget[] = [], usage: Usage): boolean {
  return restOf(budgets, usage).some(({ amount }) => amount === 0);
}
