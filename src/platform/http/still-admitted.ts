import { ApiError } from "./errors.ts";

/**
 * With the half second in which a process learns of a revocation, an open stream ends within two
 * seconds.
 */
const ASK_INTERVAL_MS = 1_000;

/**
 * Asks, as long as a stream is open, whether its reader would still be let in, and ends it when
 * not. A token that has merely expired does not end what it began.
 * @returns ends the asking.
 */
export function whileAdmitted(admitted: () => Promise<unknown>, end: () => void): () => void {
  const timer = setInterval(() => {
    admitted().catch((error: unknown) => {
      const refused =
        error instanceof ApiError &&
        [401, 403].includes(error.status) &&
        error.code !== "token_expired";
      // what cannot be asked now is asked next time
      if (!refused) return;
      clearInterval(timer);
      end();
    });
  }, ASK_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
