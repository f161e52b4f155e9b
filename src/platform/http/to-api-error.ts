import { ApiError, Unavailable } from "./errors.ts";
import type { ReportedError } from "./reported-error.ts";

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
