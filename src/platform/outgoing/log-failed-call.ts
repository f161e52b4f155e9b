import { currentContext } from "../http/context.ts";
import { ApiError } from "../http/errors.ts";
import type { Logger } from "../telemetry/log.ts";

/**
 * Logs a failed call to a server, with the ids of the request that caused it. It logs our code and
 * never the server's answer, which may hold a prompt or a key.
 */
export function logFailedCall(
  log: Logger,
  target: Record<string, unknown>,
  error: unknown,
): void {
  const { code, status } = error instanceof ApiError ? error : UNEXPECTED;
  if (status < 500) return;
  const cause = error instanceof Error ? systemCode(error.cause) : undefined;
  (currentContext()?.log ?? log).warn(
    { ...target, code, cause },
    "a call to a server failed",
  );
}

const UNEXPECTED = { code: "unexpected", status: 500 };

/** Such as ECONNREFUSED. */
function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return systemCode(error.cause);
}
