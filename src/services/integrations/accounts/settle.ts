import { setTimeout as sleep } from "node:timers/promises";

const MAX_ATTEMPTS = 6;
const FIRST_DELAY_MS = 100;

/**
 * Retries work for about three seconds while `isEarly` recognises its error. A provider may respond
 * before its transaction is committed, so the next request can fail for a moment.
 */
export async function retryUntilSettled<T>(
  work: () => Promise<T>,
  isEarly: (error: unknown) => boolean,
  signal: AbortSignal,
): Promise<T> {
  for (let n = 1; ; n += 1) {
    try {
      return await work();
    } catch (error) {
      if (n === MAX_ATTEMPTS || !isEarly(error)) throw error;
      await sleep(FIRST_DELAY_MS * 2 ** (n - 1), undefined, { signal });
    }
  }
}
