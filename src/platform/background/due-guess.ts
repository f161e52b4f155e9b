/** Without a notification for this long, the database is asked: one may have been lost. */
const MOST_MS = 30_000;

/** Knows when to ask the database for due work, so that a server with nothing to do rests. */
export interface DueGuess {
  /** Work may be due by now, or earlier than was known. */
  wake(): void;
  /**
   * Calls `look` if something may be due. It returns in how many ms the next work is due: 0 or less
   * where it is, and undefined where there is none.
   */
  lookIfDue(look: () => Promise<number | undefined>): Promise<void>;
}

export function createDueGuess(): DueGuess {
  let lookAt = -Infinity;
  return {
    wake: () => (lookAt = -Infinity),
    async lookIfDue(look) {
      const now = performance.now();
      if (now < lookAt) return;
      // a notification while it looks makes it look again
      lookAt = now + MOST_MS;
      try {
        const inMs = (await look()) ?? MOST_MS;
        lookAt = Math.min(lookAt, performance.now() + inMs);
      } catch (error) {
        lookAt = -Infinity;
        throw error;
      }
    },
  };
}

/** The first of these times, in ms from now. */
export function firstOf(times: readonly (number | null)[]): number | undefined {
  const known = times.filter((ms) => ms !== null);
  return known.length === 0 ? undefined : Math.min(...known);
}
