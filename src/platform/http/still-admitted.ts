import { ApiError } from "./errors.ts";

/** A process learns of a revocation within half a second, so an open stream ends within two. */
const ASK_INTERVAL_MS = 1_000;

/**
 * Checks while a stream is open whether its reader is still admitted, and ends it if not. The
 * expiry of the token does not end it.
 * @returns a function that stops the checks.
 */
export function whileAdmitted(admitted: () => Promise<unknown>, end: () => void): () => void {
  const timer = setInterval(() => {
    admitted().catch((error: unknown) => {
      const refused =
        error instanceof ApiError &&
        [401, 403].includes(error.status) &&
        error.code !== "token_expired";
      // a check that fails for another reason is repeated
      if (!refused) return;
      clearInterval(timer);
      end();
    });
  }, ASK_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
