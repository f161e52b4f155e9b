import { expect, test } from "vitest";
import { numberIn, parseSearch, stringifySearch } from "./search-params.ts";

test.each([
  "1e3",
  "007",
  "true",
  "null",
  '"quoted"',
  "{}",
  "[1]",
  "a b",
  "a+b",
  "%2F",
  "ü/?&=#",
])("what an address holds stays as it is: %s", (value) => {
  const search = `?${new URLSearchParams({ state: value }).toString()}`;
  expect(parseSearch(search)).toEqual({ state: value });
  const written = new URLSearchParams(stringifySearch(parseSearch(search)));
  expect(written.get("state")).toBe(value);
});

test("a name that stands there twice keeps its values, and one without a value goes", () => {
  const search = "?resource=a&resource=b&empty=";
  expect(stringifySearch(parseSearch(search))).toBe(search);
  expect(stringifySearch({ q: undefined })).toBe("");
});

test("pages read their numbers from it, and nothing else as a number", () => {
  expect(parseSearch(stringifySearch({ page: 3 }))).toEqual({ page: "3" });
  expect(["3", 3, "0.5", "-1"].map(numberIn)).toEqual([3, 3, 0.5, -1]);
  expect(["", " ", "x", "NaN", "Infinity", undefined, {}, true].map(numberIn)).toEqual(
    Array.from({ length: 8 }),
  );
});
