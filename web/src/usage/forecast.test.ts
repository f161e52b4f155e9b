import { expect, test } from "vitest";
import { forecast } from "./forecast.ts";

const DAY = { startsAt: "2026-03-01T00:00:00Z", resetsAt: "2026-03-02T00:00:00Z" };
const at = (time: string) => Date.parse(`2026-03-01T${time}Z`);

test("the pace so far goes on until the end of the period", () => {
  expect(forecast({ spent: 100, ...DAY }, at("06:00:00"))).toBe(400);
  expect(forecast({ spent: 0, ...DAY }, at("06:00:00"))).toBe(0);
});

test("nothing is foretold right after the start, or where there is no end", () => {
  expect(forecast({ spent: 100, ...DAY }, at("00:30:00"))).toBeUndefined();
  expect(forecast({ spent: 100, startsAt: null, resetsAt: null })).toBeUndefined();
});
