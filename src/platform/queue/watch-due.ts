import sql from "sql-template-tag";
import type { Database } from "../db/database.ts";
import { isExpired } from "../lease/row-lease.ts";
import { singleFlight } from "../single-flight.ts";

/** The longest time until a delay, a retry or an expired lease is noticed. */
const QUERY_INTERVAL_MS = 1_000;

/**
 * Finds the queues that have a due message, with one query for all consumers of the process. A new
 * message is announced by a notification and needs this only when the notification was lost.
 * @param onDue called for each such queue.
 */
export function watchDue(
  db: Database,
  queues: () => string[],
  onDue: (queue: string) => void,
): AsyncDisposable {
  const findDue = async () => {
    const names = queues();
    if (names.length === 0) return;
    const due = await db.query<{ queue: string }>(
      sql`select name as queue from unnest(${names}::text[]) as consumed (name) where exists (
        select from queue.messages
        where queue = name and died_at is null and ${isExpired(sql`due_at`)})`,
      { name: "find-due-queues" },
    );
    for (const { queue } of due) onDue(queue);
  };
  // while the database is unavailable, the next query tries again
  const findOnce = singleFlight(() => findDue().catch(() => {}));
  let finding: Promise<void> | undefined;
  const timer = setInterval(() => (finding = findOnce()), QUERY_INTERVAL_MS).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await finding;
    },
  };
}
