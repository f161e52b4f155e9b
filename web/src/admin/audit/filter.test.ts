import { expect, test } from "vitest";
import { readFilter, toQuery } from "./filter.ts";

test("an address with anything else in it is read as far as it can be", () => {
  expect(
    readFilter({ action: "share.", from: "yesterday", to: "2026-01-31", page: 3 }),
  ).toEqual({
    action: "share.",
    to: "2026-01-31",
  });
});

test("the last day is included, also at the end of a month", () => {
  const { from, to } = toQuery({ from: "2026-01-31", to: "2026-01-31" });
  expect(Date.parse(String(to)) - Date.parse(String(from))).toBe(86_400_000);
});
