import { expect, test } from "vitest";
import type { CompletionEvent } from "./contract.ts";
import { mapBatches } from "./map-batches.ts";

const text = (delta: string): CompletionEvent => ({ type: "text_delta", delta });

test("changes each batch as it arrives, and passes on the end and a failure", async () => {
  async function* batches() {
    yield [text("one")];
    yield [text("two"), text("three")];
    throw new Error("broken");
  }
  const heard: CompletionEvent[][] = [];
  const reading = async () => {
    for await (const events of mapBatches(batches(), (events) => events.toReversed()))
      heard.push(events);
  };
  await expect(reading()).rejects.toThrow("broken");
  expect(heard).toEqual([[text("one")], [text("three"), text("two")]]);
});

test("ends the source when its reader leaves, and when the function fails", async () => {
  let ends = 0;
  async function* batches() {
    try {
      yield [text("one")];
      yield [text("two")];
    } finally {
      ends += 1;
    }
  }
  for await (const _ of mapBatches(batches(), (events) => events)) break;
  expect(ends).toBe(1);
  const failing = mapBatches(batches(), () => {
    throw new Error("broken");
  });
  const reading = async () => {
    for await (const _ of failing);
  };
  await expect(reading()).rejects.toThrow("broken");
  expect(ends).toBe(2);
});
