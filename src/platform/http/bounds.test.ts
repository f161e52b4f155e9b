import { expect, test } from "vitest";
import { int4, MAX_INT4, storableTime } from "./bounds.ts";

test.each([
  ["2026-01-31T10:00:00Z", true],
  ["2026-01-31T10:00:00.123456+15:59", true],
  ["2026-01-31T10:00:00-12:00", true],
  ["2026-01-31T10:00:00+16:00", false],
  ["2026-01-31T10:00:00-23:59", false],
  ["0000-01-31T10:00:00Z", false],
  [`2026-01-31T10:00:00.${"1".repeat(100)}Z`, false],
])("the time %s can be stored: %s", (text, right) => {
  expect(storableTime().safeParse(text).success).toBe(right);
});

test("a number beyond PostgreSQL's integer is refused", () => {
  expect(int4().safeParse(MAX_INT4).success).toBe(true);
  expect(int4().safeParse(MAX_INT4 + 1).success).toBe(false);
  expect(int4().safeParse(-1).success).toBe(false);
});
