import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../http/errors.ts";

interface Waiting<Item> {
  item: Item;
  done: () => void;
  failed: (error: unknown) => void;
}

interface BatchOptions {
  /**
   * How long to gather items before a batch, for work beside which the callers do something longer.
   * Default: until pending input is read.
   */
  gatherMs?: number;
}

/**
 * Stores single items in batches. Items that arrive together, or while a batch is stored, form the
 * next batch: a single item does not wait, and many cost one statement. Each caller learns the
 * outcome of its own item: the items of a failed batch are stored one by one. Batches run outside
 * of the caller's transaction.
 * @returns stores one item.
 */
export function createBatcher<Item>(
  maxItems: number,
  store: (items: Item[]) => Promise<unknown>,
  { gatherMs }: BatchOptions = {},
): (item: Item) => Promise<void> {
  const waiting: Waiting<Item>[] = [];
  let isRunning = false;
  // a batch must not join the transaction of the first caller
  const outside = AsyncLocalStorage.snapshot();

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      await (gatherMs === undefined ? immediate() : sleep(gatherMs));
      await storeBatch(waiting.splice(0, maxItems));
    }
    isRunning = false;
  }

  async function storeBatch(batch: Waiting<Item>[]): Promise<void> {
    try {
      await store(batch.map(({ item }) => item));
      for (const { done } of batch) done();
    } catch (error) {
      // one by one, each would wait for the unavailable database in turn
      if (batch.length === 1 || error instanceof Unavailable)
        for (const { failed } of batch) failed(error);
      else for (const one of batch) await storeAlone(one);
    }
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
      if (!isRunning) void outside(run);
    });
}
