import { pushed } from "../../../../platform/batches.ts";
import type { Cache } from "../../../../platform/cache/cache.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { encodeWholeEvent } from "../../../../platform/http/stream.ts";
import { openSubscription } from "../../../../platform/subscription.ts";
import { findResponse } from "./store.ts";

interface Deps {
  db: Database;
  cache: Cache;
}

interface Following {
  userId: string;
  id: string;
  /** The number of the first event that is wanted. */
  from: number;
  signal: AbortSignal;
}

/** The entry behind the last event of a log. */
export const LOG_END = "";
const POLL_INTERVAL_MS = 1_500;
const MAX_ENTRIES_PER_READ = 64;

/** The events of a response that is made in the background: each has its number as its place. */
export function logOf(id: string): string {
  return `response:${id}`;
}

/**
 * The events of a response in the background from a number on, in wire form, on any replica. When
 * the log is gone, the response follows as one event once it has ended.
 */
export function followResponse(
  { db, cache }: Deps,
  { userId, id, from, signal }: Following,
): AsyncIterable<string[]> {
  return pushed(async (emit) => {
    const log = logOf(id);
    let position = from;
    let emptyReads = 0;
    const subscribe = (wake: () => void) => cache.subscribe(log, wake);
    const options = { everyMs: POLL_INTERVAL_MS, signal };
    await using appended = await openSubscription(subscribe, options);
    while (!signal.aborted) {
      const entries = await cache
        .read(log, position, MAX_ENTRIES_PER_READ)
        .catch((): string[] => []); // an unreachable cache has lost nothing yet
      const end = entries?.indexOf(LOG_END) ?? -1;
      const shown = entries && end >= 0 ? entries.slice(0, end) : (entries ?? []);
      position += shown.length;
      if (shown.length > 0) await emit(shown);
      if (end >= 0) return;
      if (shown.length > 0) {
        emptyReads = 0;
        continue;
      }
      emptyReads += 1;
      const { response } = await findResponse(db, userId, id);
      // its last events are stored first, and get some more time
      if (response.status !== "in_progress" && (entries === null || emptyReads > 2)) {
        if (response.status === "cancelled") return;
        const type = `response.${response.status}`;
        const last = { type, sequence_number: position, response };
        await emit([encodeWholeEvent(last)]);
        return;
      }
      await appended.next();
    }
  });
}
