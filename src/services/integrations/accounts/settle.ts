import { setTimeout as sleep } from "node:timers/promises";

const TRIES = 6;
const FIRST_WAIT_MS = 100;

/**
 * A provider may say that something is done a moment before it is: its answer leaves before its
 * transaction ends. Tries again for about three seconds while the failure is of the kind that this
 * causes.
 */
export async function settled<T>(
  work: () => Promise<T>,
  isEarly: (error: unknown) => boolean,
  signal: AbortSignal,
): Promise<T> {
  for (let n = 1; ; n += 1) {
    try {
      return await work();
    } catch (error) {
      if (n === TRIES || !isEarly(error)) throw error;
      await sleep(FIRST_WAIT_MS * 2 ** (n - 1), undefined, { signal });
    }
  }
}
