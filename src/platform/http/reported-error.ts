import { z } from "zod";
import { ApiError, Unavailable } from "./errors.ts";

/** A failure in the last event of a stream, or stored with what failed. See docs/web-api.md. */
export const ReportedError = z.object({
  error: z.string(),
  code: z.string(),
  params: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe("The values in the sentence"),
});
export type ReportedError = z.output<typeof ReportedError>;

/** The same with the sentence in `message`, as background work stores it. */
export const StoredFailure = ReportedError.omit({ error: true }).extend({
  message: z.string(),
});
export type StoredFailure = z.output<typeof StoredFailure>;

/** The code and the values of a sentence that is in another field, such as `detail`. */
export const SentenceCode = ReportedError.omit({ error: true }).partial();
export type SentenceCode = z.output<typeof SentenceCode>;

/** The last event of a stream that failed. */
export const ErrorEvent = ReportedError.extend({ type: z.literal("error") });
export type ErrorEvent = z.output<typeof ErrorEvent>;

type Sentence = Pick<ApiError, "message" | "code" | "params">;

export function reportError({ message, code, params }: Sentence): ReportedError {
  return { error: message, code, ...(params && { params }) };
}

export function toStoredFailure({ message, code, params }: Sentence): StoredFailure {
  return { code, message, ...(params && { params }) };
}

export function toSentenceCode({
  code,
  params,
}: Omit<StoredFailure, "message">): SentenceCode {
  return { code, ...(params && { params }) };
}

export function toErrorEvent(error: ApiError): ErrorEvent {
  return { type: "error", ...reportError(error) };
}

const TEMPORARY =
  /(?:_unavailable|_busy|_rate_limited)$|^(?:service_unreachable|interrupted|shutting_down|disk_full|starting)$/;

/**
 * Returns an error whose status fits the code, for a failure that was reported by the last event of
 * a stream or stored with a reply.
 */
export function toApiError(
  { code, error, params }: ReportedError,
  details?: unknown,
): ApiError {
  const options = { params, ...(details !== undefined && { details }) };
  if (TEMPORARY.test(code)) return new Unavailable(code, error, undefined, options);
  return new ApiError(statusOf(code), code, error, options);
}

function statusOf(code: string): number {
  if (/(?:^|_)timeout$/.test(code)) return 504;
  return code === "internal_error" ? 500 : 502;
}
