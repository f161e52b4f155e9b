import { expect, test } from "vitest";
import { readSorting, sortBy, sortOf } from "./sorting.ts";

test("the first choice of a column sorts as people expect, the second the other way round", () => {
  const byName = sortBy("fileName", {});
  expect(sortOf(byName)).toEqual({ sort: "fileName", order: "asc" });
  expect(sortOf(sortBy("fileName", byName))).toEqual({ sort: "fileName", order: "desc" });
  expect(sortOf(sortBy("size", byName))).toEqual({ sort: "size", order: "desc" });
  expect(sortOf(sortBy("updatedAt", {}))).toEqual({ sort: "updatedAt", order: "asc" });
});

test("the address holds only what is not the default, and nothing unknown", () => {
  expect(readSorting(undefined, undefined)).toEqual({});
  expect(readSorting("updatedAt", "desc")).toEqual({});
  expect(readSorting("size", "asc")).toEqual({ sort: "size", order: "asc" });
  expect(readSorting("colour", ["asc"])).toEqual({});
});
