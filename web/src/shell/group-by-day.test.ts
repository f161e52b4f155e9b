import { expect, test } from "vitest";
import { groupByDay } from "./group-by-day.ts";

const at = (...parts: [number, number, number, number, number]) => ({
  updatedAt: new Date(...parts).toISOString(),
});

test("things stand under the reader's day, and a day without any is left out", () => {
  const now = new Date(2026, 10, 25, 9, 0);
  const [morning, night, march] = [
    at(2026, 10, 25, 0, 0),
    at(2026, 10, 24, 23, 59),
    at(2026, 2, 1, 12, 0),
  ];
  expect(groupByDay([morning, night, march], now)).toEqual([
    { day: "today", items: [morning] },
    { day: "yesterday", items: [night] },
    { day: "earlier", items: [march] },
  ]);
  expect(groupByDay([march], now)).toEqual([{ day: "earlier", items: [march] }]);
  expect(groupByDay([], now)).toEqual([]);
});
