import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../http/errors.ts";

interface Waiting<Item> {
  item: Item;
  done: () => void;
  failed: (error: unknown) => void;
}

interface CoalesceOptions {
  /**
   * How long items gather before a group starts, where nobody waits for them. Default: until what
   * has arrived already is read.
   */
  gatherMs?: number;
}

/**
 * Stores what is asked for one by one in groups: what comes at once, or while a group is under way,
 * makes the next one, so a lone item waits for nothing and many cost one statement. Each caller
 * learns what became of its own item: a group that fails is stored one by one. Not for use inside a
 * transaction: a group belongs to nobody's.
 */
export function coalesce<Item>(
  most: number,
  store: (items: Item[]) => Promise<unknown>,
  { gatherMs }: CoalesceOptions = {},
): (item: Item) => Promise<void> {
  const waiting: Waiting<Item>[] = [];
  let running = false;
  // whoever asks first must not lend its transaction to the others
  const outside = AsyncLocalStorage.snapshot();

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      await (gatherMs === undefined ? immediate() : sleep(gatherMs));
      const group = waiting.splice(0, most);
      try {
        await store(group.map(({ item }) => item));
        for (const { done } of group) done();
      } catch (error) {
        // one by one they would wait one by one for a database that is away
        if (group.length === 1 || error instanceof Unavailable)
          for (const { failed } of group) failed(error);
        else for (const one of group) await storeAlone(one);
      }
    }
    running = false;
  }

  async function storeAlone({ item, done, failed }: Waiting<Item>): Promise<void> {
    try {
      await store([item]);
      done();
    } catch (error) {
      failed(error);
    }
  }

  return (item) =>
    new Promise<void>((done, failed) => {
      waiting.push({ item, done, failed });
      if (!running) void outside(run);
    });
}
