import sql from "sql-template-tag";
import type { Database } from "../db/database.ts";
import { singleFlight } from "../single-flight.ts";
import { createDueGuess, firstOf } from "../background/due-guess.ts";

/**
 * The longest time until a delay, a retry or an expired lease that is known is noticed; 30 s where
 * its notification was lost.
 */
const LOOK_INTERVAL_MS = 1_000;

export interface DueWatch extends AsyncDisposable {
  /** A message was published, or is due at another time. */
  wake(): void;
}

/**
 * Finds the queues that have a due message, with one query for all consumers of the process, and
 * only when one may be due. A new message is announced by a notification and needs this only when
 * the notification was lost.
 * @param onDue called for each such queue.
 */
export function watchDue(
  db: Database,
  queues: () => string[],
  onDue: (queue: string) => void,
): DueWatch {
  const guess = createDueGuess();
  const findDue = async () => {
    const names = queues();
    if (names.length === 0) return 0; // one that begins soon finds what waits
    const waiting = await db.query<{ queue: string; inMs: number }>(
      sql`select name as queue, (extract(epoch from due_at - now()) * 1000)::float8 as "inMs"
        from unnest(${names}::text[]) as consumed (name) cross join lateral (
          select due_at from queue.messages where queue = name and died_at is null
          order by due_at limit 1) first`,
      { name: "find-due-queues" },
    );
    for (const { queue, inMs } of waiting) if (inMs <= 0) onDue(queue);
    return firstOf(waiting.map(({ inMs }) => inMs));
  };
  // while the database is unavailable, the next look tries again
  const findOnce = singleFlight(() => guess.lookIfDue(findDue).catch(() => {}));
  let finding: Promise<void> | undefined;
  const timer = setInterval(() => (finding = findOnce()), LOOK_INTERVAL_MS).unref();
  return {
    wake: guess.wake,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await finding;
    },
  };
}
