import type { Database } from "../../../platform/db/database.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { once } from "../../../platform/single-flight.ts";
import { endsWithin } from "../../../platform/within.ts";
import { MAX_OF_USER, takeDueReceivers } from "./receivers-store.ts";

export interface NotifyDeps {
  db: Database;
  encryptionKey: string;
  /** It refuses private addresses: users choose these. */
  outgoing: Pick<Outgoing, "fetch">;
  log: Logger;
}

const MAX_AT_ONCE = 20;
const LOOK_INTERVAL_MS = 1_000;
/** How long a receiver may take. */
const TIMEOUT_MS = 10_000;
/** A process that dies keeps a receiver waiting no longer. */
const LEASE_MS = 30_000;

/** Large, and needed by few. */
const load = once(() => import("./notify-receiver.ts"));

/**
 * Tells the receivers whose task has stopped, until nobody is due. Those that are slow keep only
 * others of their user waiting.
 */
export async function notifyTasks(deps: NotifyDeps, signal: AbortSignal): Promise<void> {
  const limits = { signal, timeoutMs: TIMEOUT_MS };
  /** Whose receivers are being told now. */
  const running = new Map<Promise<void>, string>();
  do {
    const limit = MAX_AT_ONCE - running.size;
    const busyUsers = usersWithMany([...running.values()]);
    const taking = { limit, busyUsers, leaseMs: LEASE_MS };
    const due = limit > 0 ? await takeDueReceivers(deps.db, taking) : [];
    for (const receiver of due) {
      const { notifyReceiver } = await load();
      const told = notifyReceiver(deps, receiver, limits).finally(() =>
        running.delete(told),
      );
      running.set(told, receiver.userId);
    }
    // or until others may have become due
    if (running.size > 0) await endsWithin(LOOK_INTERVAL_MS, Promise.race(running.keys()));
  } while (running.size > 0 && !signal.aborted);
  await Promise.all(running.keys());
}

function usersWithMany(userIds: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const id of userIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].flatMap(([id, count]) => (count >= MAX_OF_USER ? id : []));
}
