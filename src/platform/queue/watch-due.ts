import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import type { Database } from "../db/database.ts";

/** How late a delay, a wait before a retry or a dead worker's lease may be noticed. */
const LOOK_MS = 1_000;

/**
 * Looks which queues hold something due, for all consumers of the process at once: each by itself
 * would keep an idle house busy. What is published is told of at once and does not wait for this,
 * unless nobody heard of it.
 * @param found called for each such queue.
 */
export function watchDue(
  db: Database,
  queues: () => string[],
  found: (queue: string) => void,
): AsyncDisposable {
  const stopping = new AbortController();
  const look = async () => {
    const names = queues();
    if (names.length === 0) return;
    const due = await db.query<{ queue: string }>(
      sql`select name as queue from unnest(${names}::text[]) as consumed (name) where exists (
        select from queue.messages where queue = name and died_at is null and due_at <= now())`,
      { name: "queue-look" },
    );
    for (const { queue } of due) found(queue);
  };
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await sleep(LOOK_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      // a database that is away is asked again
      if (!stopping.signal.aborted) await look().catch(() => {});
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await watching;
    },
  };
}
