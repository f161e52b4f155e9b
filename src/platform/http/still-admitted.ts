import { ApiError } from "./errors.ts";

/** How long a stream may go on after its reader lost the right to it. Source: security row 2, "closed ≤2 s". */
const ASK_EVERY_MS = 1_500;

/**
 * Asks, as long as a stream is open, whether its reader would still be let in, and ends it when not. A token that has merely expired does
 * not end what it began.
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
  }, ASK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
