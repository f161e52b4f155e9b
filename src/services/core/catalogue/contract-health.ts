import { z } from "zod";
import { ReportedError } from "../../../platform/http/reported-error.ts";
import { CALL_FAILURES } from "../../completion/contract-provider-calls.ts";
import { ProviderEntry } from "../../completion/contract-catalogue.ts";

/** How the calls to a provider ended in the last 24 hours. See docs/catalogue.md. */
export const ProviderHealth = z.object({
  name: ProviderEntry.shape.name,
  hours: z
    .array(
      z.object({
        startsAt: z.iso.datetime(),
        calls: z.number().int().describe("All, with those that failed"),
        failures: z
          .array(z.object({ how: z.enum(CALL_FAILURES), calls: z.number().int() }))
          .describe("Of the calls those that failed, by how"),
        firstTokenMs: z
          .number()
          .int()
          .nullable()
          .describe("Until the first token of a reply, on average; null without a reply"),
      }),
    )
    .describe("24, the earliest first; the last one is not over"),
  lastAnswerAt: z.iso.datetime().nullable(),
  lastFailure: ReportedError.extend({ at: z.iso.datetime() }).nullable(),
});
export type ProviderHealth = z.output<typeof ProviderHealth>;
