import type { Subscription } from "../background/job.ts";
import type { Cache } from "../cache/cache.ts";
import type { HintType } from "./contract-hints.ts";
import { publishHint } from "./hints.ts";

/** Changes within this time become one hint, because progress changes many times a second. */
const GATHER_MS = 300;
const MAX_PENDING = 1_000;

/** Returns the owners of resources, by their ids. */
type FindOwners = (ids: readonly string[]) => Promise<{ id: string; userId: string }[]>;

/**
 * A subscription that turns notifications of the database, whose payload is an id, into hints for
 * the owners. Every replica does so, and clients take repeated hints as one.
 */
export function forwardChanges(
  cache: Cache,
  channel: string,
  type: HintType,
  findOwners: FindOwners,
): Subscription {
  const pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const publish = async () => {
    timer = undefined;
    const ids = [...pending];
    pending.clear();
    for (const { id, userId } of await findOwners(ids))
      publishHint(cache, [userId], { type, id });
  };
  return {
    channel,
    onNotification(id) {
      if (pending.size < MAX_PENDING) pending.add(id);
      // a lost hint is made up for when the page is next opened
      timer ??= setTimeout(() => void publish().catch(() => {}), GATHER_MS).unref();
    },
  };
}
