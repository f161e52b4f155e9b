import { expect, test } from "vitest";
import { rangeBetween } from "./range-between.ts";

const LISTED = ["a", "b", "c", "d", "e"];

test("a range goes from one item to the other, in either direction", () => {
  expect(rangeBetween(LISTED, "b", "d")).toEqual(["b", "c", "d"]);
  expect(rangeBetween(LISTED, "d", "b")).toEqual(["b", "c", "d"]);
  expect(rangeBetween(LISTED, "c", "c")).toEqual(["c"]);
});

test("without a first item, or if it left the list, a range is its end", () => {
  expect(rangeBetween(LISTED, undefined, "d")).toEqual(["d"]);
  expect(rangeBetween(LISTED, "gone", "d")).toEqual(["d"]);
});
