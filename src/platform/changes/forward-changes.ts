import type { Subscription } from "../background/job.ts";
import type { Cache } from "../cache/cache.ts";
import type { ChangedType } from "./contract-changes.ts";
import { publishChange } from "./publish-changes.ts";

/** Changes within this time are published once, because progress changes many times a second. */
const GATHER_MS = 300;
const MAX_PENDING = 1_000;

/** Returns the owners of resources, by their ids. */
type FindOwners = (ids: readonly string[]) => Promise<{ id: string; userId: string }[]>;

/**
 * A subscription that turns notifications of the database, whose payload is an id, into changes for
 * the owners. Every replica does so, and clients take a change that is repeated as one.
 */
export function forwardChanges(
  cache: Cache,
  channel: string,
  type: ChangedType,
  findOwners: FindOwners,
): Subscription {
  const pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const publish = async () => {
    timer = undefined;
    const ids = [...pending];
    pending.clear();
    for (const { id, userId } of await findOwners(ids))
      publishChange(cache, [userId], { type, id });
  };
  return {
    channel,
    onNotification(id) {
      if (pending.size < MAX_PENDING) pending.add(id);
      // a lost change is made up for when the page is next opened
      timer ??= setTimeout(() => void publish().catch(() => {}), GATHER_MS).unref();
    },
  };
}
