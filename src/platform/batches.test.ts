import { expect, test } from "vitest";
import { begun, deliver, type Emit, pushed, ReaderLeft } from "./batches.ts";

/** Counts how many numbers its reader was given, and what ended it. */
function counting(last: number) {
  const seen = { emitted: 0, endedBy: undefined as unknown };
  const numbers = pushed<number>(async (emit) => {
    try {
      for (; seen.emitted < last;) {
        seen.emitted += 1;
        await emit(seen.emitted);
      }
    } catch (error) {
      seen.endedBy = error;
      throw error;
    }
  });
  return { seen, numbers };
}

const doubled = (numbers: AsyncIterable<number>) =>
  pushed<number>((emit) => deliver(numbers, (number) => emit(2 * number)));

test("passes a batch through all layers in the call that emits it", async () => {
  let source: Emit<number> = () => {};
  const over = Promise.withResolvers<void>();
  const numbers = pushed<number>((emit) => {
    source = emit;
    return over.promise;
  });
  const read: number[] = [];
  const reading = deliver(doubled(doubled(numbers)), (number) => void read.push(number));
  expect(source(1)).toBeUndefined();
  expect(read).toEqual([4]);
  over.resolve();
  await reading;
});

test("gives who iterates one batch at a time", async () => {
  const { seen, numbers } = counting(3);
  const ahead: number[] = [];
  for await (const number of doubled(numbers)) ahead.push(seen.emitted - number / 2);
  expect(ahead).toEqual([0, 0, 0]);
});

test("begins when it is read, and ends its work before the iteration has ended", async () => {
  const { seen, numbers } = counting(3);
  const layered = doubled(numbers);
  expect(seen.emitted).toBe(0);
  for await (const _ of layered) break;
  expect(seen.emitted).toBe(1);
  expect(seen.endedBy).toBeInstanceOf(ReaderLeft);
});

test("holds the source for as long as its reader takes", async () => {
  const { seen, numbers } = counting(3);
  const taken = Promise.withResolvers<void>();
  const reading = deliver(doubled(numbers), () => taken.promise);
  await new Promise(setImmediate);
  expect(seen.emitted).toBe(1);
  taken.resolve();
  await reading;
  expect(seen.emitted).toBe(3);
});

test.each([
  ["pushed", (numbers: AsyncIterable<number>) => numbers],
  ["iterated", (numbers: AsyncIterable<number>) => iterated(numbers)],
])("ends the source by its reader's error, %s", async (_, way) => {
  const { seen, numbers } = counting(3);
  const failing = deliver(way(numbers), () => {
    throw new Error("unreadable");
  });
  await expect(failing).rejects.toThrow("unreadable");
  expect(seen.emitted).toBe(1);
  expect(seen.endedBy).toBeInstanceOf(Error);
});

async function* iterated(numbers: AsyncIterable<number>) {
  yield* numbers;
}

test("fails after the batches before the failure", async () => {
  const numbers = pushed<number>(async (emit) => {
    await emit(1);
    throw new Error("broken");
  });
  const read: number[] = [];
  const reading = async () => {
    for await (const number of numbers) read.push(number);
  };
  await expect(reading()).rejects.toThrow("broken");
  expect(read).toEqual([1]);
});

test("has begun with its first batch, which waits for the reader", async () => {
  const { seen, numbers } = counting(3);
  const waiting = await begun(numbers);
  expect(seen.emitted).toBe(1);
  expect(await Array.fromAsync(waiting)).toEqual([1, 2, 3]);
  expect(await Array.fromAsync(await begun(counting(0).numbers))).toEqual([]);
  const broken = pushed<number>(() => Promise.reject(new Error("broken")));
  await expect(begun(broken)).rejects.toThrow("broken");
});
