import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Ticker } from "./ticker.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("calls all at the interval until each ends, and keeps no timer behind them", () => {
  const ticker = new Ticker(1_000);
  const calls: string[] = [];
  const ends = ["one", "two"].map((name) => ticker.add(() => calls.push(name)));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(calls.splice(0)).toEqual(["one", "two"]);
  ends[0]?.();
  ends[0]?.();
  vi.advanceTimersByTime(2_000);
  expect(calls).toEqual(["two", "two"]);
  ends[1]?.();
  expect(vi.getTimerCount()).toBe(0);
});

test("calls no more than 128 at once", () => {
  const ticker = new Ticker(1_000);
  const ends = Array.from({ length: 300 }, () => ticker.add(() => {}));
  expect(vi.getTimerCount()).toBe(3);
  for (const end of ends) end();
  expect(vi.getTimerCount()).toBe(0);
});
