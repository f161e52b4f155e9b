import { ApiError, Unavailable } from "../../platform/http/errors.ts";

/** What passes by itself. */
const PASSES =
  /(?:_unavailable|_busy|_rate_limited)$|^(?:service_unreachable|interrupted|shutting_down|disk_full|starting)$/;

/**
 * A failure that a stream told in its last event, or that was stored with a reply, as an error with
 * the status that belongs to it. Source: design "Everywhere", error body.
 */
export function toApiError(
  { code, error }: { code: string; error: string },
  details?: unknown,
): ApiError {
  const options = details === undefined ? {} : { details };
  if (PASSES.test(code)) return new Unavailable(code, error, undefined, options);
  const status = /(?:^|_)timeout$/.test(code) ? 504 : code === "internal_error" ? 500 : 502;
  return new ApiError(status, code, error, options);
}
