import { z } from "zod";
import { int8, storableTime } from "../../platform/http/bounds.ts";
import { StoredFailure } from "../../platform/http/reported-error.ts";
import { ProviderEntry } from "./contract-catalogue.ts";

/** How calls to providers end, counted by the hour, on the queue `provider_calls`. */

export const CALL_FAILURES = [
  "rate_limited",
  "unreachable",
  "refused",
  "timed_out",
  "failed",
] as const;
export type CallFailure = (typeof CALL_FAILURES)[number];
const CALL_OUTCOMES = ["answered", ...CALL_FAILURES] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

export const PROVIDER_CALLS_QUEUE = "provider_calls";
export const MAX_COUNTS_PER_MESSAGE = 200;

/**
 * What one process has counted so far in an hour. Its later messages have higher counts, so that
 * core keeps the highest: one that comes twice, or late, changes nothing.
 */
export const ProviderCalls = z.object({
  source: z.uuid().describe("The process"),
  counts: z
    .array(
      z.object({
        provider: ProviderEntry.shape.name,
        hour: storableTime().describe("Its first moment"),
        outcome: z.enum(CALL_OUTCOMES),
        calls: int8(1),
        begun: int8().describe("Replies of which a first token came"),
        firstTokenMs: int8().describe("The time until it, of all of these together"),
        lastAt: storableTime(),
        lastFailure: StoredFailure.optional(),
      }),
    )
    .max(MAX_COUNTS_PER_MESSAGE),
});
export type ProviderCalls = z.output<typeof ProviderCalls>;
