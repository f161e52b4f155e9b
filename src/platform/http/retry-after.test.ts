import { expect, test } from "vitest";
import { readRetryAfter } from "./retry-after.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

test.each([
  ["120", 120_000],
  ["0.5", 500],
  ["0", 0],
  ["-3", 0],
  ["1e300", DAY_MS],
  ["Infinity", DAY_MS],
  ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
  ["Fri, 31 Dec 9999 23:59:59 GMT", DAY_MS],
])("reads %j as %j ms", (header, ms) => {
  expect(readRetryAfter(header)).toBe(ms);
});

test("reads a date as the time until then", () => {
  const soon = new Date(Date.now() + 60_000).toUTCString();
  const ms = readRetryAfter(soon);
  // a date has whole seconds
  expect(ms).toBeGreaterThan(30_000);
  expect(ms).toBeLessThanOrEqual(60_000);
});

test.each([null, undefined, "", " ", "soon", "NaN"])(
  "understands nothing in %j",
  (header) => {
    expect(readRetryAfter(header)).toBeUndefined();
  },
);
