import fc from "fast-check";
import { expect, test } from "vitest";
import { periodStart, resetsAt } from "./periods.ts";

test.each([
  ["day", "2026-11-21T23:59:59.999Z", "2026-11-21", "2026-11-22T00:00:00.000Z"],
  ["week", "2026-11-22T12:00:00Z", "2026-11-16", "2026-11-23T00:00:00.000Z"],
  ["week", "2026-11-23T00:00:00Z", "2026-11-23", "2026-11-30T00:00:00.000Z"],
  ["month", "2026-12-31T23:00:00Z", "2026-12-01", "2027-01-01T00:00:00.000Z"],
  ["month", "2028-02-29T00:00:00Z", "2028-02-01", "2028-03-01T00:00:00.000Z"],
  ["total", "2026-11-21T00:00:00Z", "1970-01-01", null],
] as const)("the %s of %s begins on %s and ends at %s", (period, at, start, end) => {
  expect([periodStart(period, new Date(at)), resetsAt(period, new Date(at))]).toEqual([
    start,
    end,
  ]);
});

test("every moment is in exactly one period", () => {
  const moment = fc.date({
    min: new Date("2000-01-01"),
    max: new Date("2100-01-01"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(
      fc.constantFrom("day" as const, "week" as const, "month" as const),
      moment,
      (period, at) => {
        const [start, end] = [
          new Date(`${periodStart(period, at)}T00:00:00Z`),
          new Date(resetsAt(period, at) ?? ""),
        ];
        expect(start <= at && at < end).toBe(true);
        expect(periodStart(period, end)).toBe(end.toISOString().slice(0, 10));
        expect(periodStart(period, new Date(end.getTime() - 1))).toBe(
          periodStart(period, at),
        );
      },
    ),
  );
});
