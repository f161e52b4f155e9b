import { z } from "zod";
import { StoredFailure } from "../../../platform/http/reported-error.ts";

/** What one research may use. Administrators set it. */
export const ResearchBudget = z.object({
  searches: z.number().int(),
  pages: z.number().int().describe("That are read, or could not be read"),
  tokens: z.number().int(),
  minutes: z.number().int(),
});
export type ResearchBudget = z.output<typeof ResearchBudget>;

/** A research as the reader of its reply sees it. */
export const ResearchState = z.object({
  steps: z
    .array(
      z.object({
        title: z.string(),
        done: z.boolean().describe("Something was found out"),
      }),
    )
    .describe("The plan as it was approved"),
  budget: ResearchBudget,
  used: ResearchBudget.pick({ searches: true, pages: true }),
  unread: z
    .array(z.object({ url: z.string(), problem: StoredFailure }))
    .describe("Pages that could not be read, each with the reason; the first 50"),
});
export type ResearchState = z.output<typeof ResearchState>;
