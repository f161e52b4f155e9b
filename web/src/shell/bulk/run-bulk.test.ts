import { expect, test } from "vitest";
import { Failure } from "../../api/failure.ts";
import { runBulk } from "./run-bulk.ts";

const items = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: String(at), name: `n${at}` }));
const never = new AbortController().signal;
const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id).toSorted();

test("what cannot be changed is named with its reason, and stops nothing else", async () => {
  const progress: number[] = [];
  const outcome = await runBulk(items(6), {
    act: async ([id]) => {
      if (id === "2") throw new Failure("document_read_only", "no", { status: 403 });
      return undefined;
    },
    size: 1,
    signal: never,
    onProgress: (handled) => progress.push(handled),
  });
  expect(idsOf(outcome.done)).toEqual(["0", "1", "3", "4", "5"]);
  expect(outcome.refused.map(({ item, failure }) => [item.name, failure.code])).toEqual([
    ["n2", "document_read_only"],
  ]);
  expect(outcome.left).toEqual([]);
  expect(progress).toEqual([1, 2, 3, 4, 5, 6]);
});

test("batches hold at most so many, and say which of theirs were refused", async () => {
  const sizes: number[] = [];
  const outcome = await runBulk(items(5), {
    act: async (ids) => {
      sizes.push(ids.length);
      return new Map([["4", new Failure("agent_not_found", "gone", { status: 404 })]]);
    },
    size: 2,
    signal: never,
    onProgress: () => undefined,
  });
  expect(sizes).toEqual([2, 2, 1]);
  expect(idsOf(outcome.done)).toEqual(["0", "1", "2", "3"]);
  expect(outcome.refused.map(({ item }) => item.id)).toEqual(["4"]);
});

test("a server that does not answer is not asked for the rest", async () => {
  const outcome = await runBulk(items(50), {
    act: async () => {
      throw new Failure("offline", "unreachable");
    },
    size: 1,
    signal: never,
    onProgress: () => undefined,
  });
  expect(outcome.done).toEqual([]);
  expect(outcome.refused.length).toBeLessThan(10);
  expect(outcome.refused.length + outcome.left.length).toBe(50);
});

test("once stopped nothing more is begun, and what has begun ends", async () => {
  const stop = new AbortController();
  const outcome = await runBulk(items(20), {
    act: async ([id]) => {
      if (id === "4") stop.abort();
      await Promise.resolve();
      return undefined;
    },
    size: 1,
    signal: stop.signal,
    onProgress: () => undefined,
  });
  expect(outcome.refused).toEqual([]);
  expect(idsOf(outcome.done)).toContain("4");
  expect(outcome.left.length).toBeGreaterThan(5);
  expect(outcome.done.length + outcome.left.length).toBe(20);
});
