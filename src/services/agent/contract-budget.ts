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
});
export type RunBudget = z.output<typeof RunBudget>;

/** Whether one of the budgets is used up. */
export function isUsedUp(budgets: readonly RunBudget[] = [], usage: Usage): boolean {
  const { inputTokens, outputTokens } = usage;
  return budgets.some(
    ({ amount, inputPrice, outputPrice }) =>
      inputTokens * inputPrice + outputTokens * outputPrice >= amount,
  );
}
