import { expect, test } from "vitest";
import { firstTick } from "./next-tick.ts";

test.each(["0 0 31 2 *", "0 0 30 2 *", "0 0 31 4 *"])(
  "%s is refused because it never occurs",
  (cron) => {
    expect(() => firstTick({ cron, timeZone: "UTC" }, new Date())).toThrow("never occurs");
  },
);

test("the next leap day is found", () => {
  const from = new Date("2025-01-01T00:00:00Z");
  const next = firstTick({ cron: "0 0 29 2 *", timeZone: "UTC" }, from);
  expect(next.toISOString()).toBe("2028-02-29T00:00:00.000Z");
});
