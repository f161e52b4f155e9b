import { expect, test } from "vitest";
import { latestOnly } from "./latest-only.ts";

test("of many values that come at once only the last is sent", async () => {
  const sent: number[] = [];
  const send = latestOnly(async (value: number) => void sent.push(value));
  await Promise.all(Array.from({ length: 100 }, (_, value) => send(value)));
  expect(sent).toEqual([99]);
  await send(7);
  expect(sent).toEqual([99, 7]);
});

test("a value that is not taken fails for those who wait, and the next is sent", async () => {
  let fails = true;
  const sent: number[] = [];
  const send = latestOnly(async (value: number) => {
    if (fails) throw new Error("no");
    sent.push(value);
  });
  await expect(send(1)).rejects.toThrow("no");
  fails = false;
  await send(2);
  expect(sent).toEqual([2]);
});
