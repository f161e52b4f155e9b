import { expect, test } from "vitest";
import { firstDay, lastDays } from "./days.ts";

const NOW = Date.parse("2026-03-01T23:59:59Z");

test("the last days end with today, without a gap", () => {
  expect(lastDays(3, NOW)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
  expect(firstDay(3, NOW)).toBe("2026-02-27");
  expect(firstDay(1, NOW)).toBe("2026-03-01");
});
