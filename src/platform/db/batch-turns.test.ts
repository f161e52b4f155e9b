import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inTurn } from "./batch-turns.ts";
import type { Database } from "./database.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
afterEach(() => vi.useRealTimers());

const database = (isEmbedded: boolean, inTransaction = false) =>
  ({ isEmbedded, inTransaction }) as Database;

/** When each batch of 50 ms starts, of so many jobs that begin at once. */
async function startsOf(db: Database, jobs: number): Promise<number[]> {
  const began = performance.now();
  const starts: number[] = [];
  const batch = async () => {
    starts.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 50));
  };
  const all = Promise.all(Array.from({ length: jobs }, () => inTurn(db, batch)));
  await vi.runAllTimersAsync();
  await all;
  return starts;
}

test("batches of the embedded database take turns, and it rests between them", async () => {
  expect(await startsOf(database(true), 3)).toEqual([0, 100, 200]);
});

test("a batch that fails ends its turn", async () => {
  const db = database(true);
  await expect(inTurn(db, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await startsOf(db, 1)).toEqual([0]);
});

test.each([
  ["on a server", database(false)],
  ["inside a transaction, whose end others wait for", database(true, true)],
])("%s batches run at once", async (_, db) => {
  expect(await startsOf(db, 3)).toEqual([0, 0, 0]);
});
