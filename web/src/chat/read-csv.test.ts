import { expect, test } from "vitest";
import { readCsv } from "./read-csv.ts";

const whole = { maxRows: 10, isWhole: true };

test("values are between commas, semicolons or tabs, and may be quoted", () => {
  expect(readCsv('a,b\r\n"1,5","say ""hi"""\n', whole)).toEqual([
    ["a", "b"],
    ["1,5", 'say "hi"'],
  ]);
  expect(readCsv("a;b\n1,5;2", whole)).toEqual([
    ["a", "b"],
    ["1,5", "2"],
  ]);
  expect(readCsv("a\tb\n1\t2", whole)).toEqual([
    ["a", "b"],
    ["1", "2"],
  ]);
});

test("a line in quotes is in one value", () => {
  expect(readCsv('a\n"one\ntwo"', whole)).toEqual([["a"], ["one\ntwo"]]);
});

test("a row that is cut is left out, and so are rows beyond the limit", () => {
  expect(readCsv("a,b\n1,2\n3,", { maxRows: 10, isWhole: false })).toEqual([
    ["a", "b"],
    ["1", "2"],
  ]);
  expect(readCsv("a\n1\n2\n3\n", { maxRows: 2, isWhole: true })).toEqual([["a"], ["1"]]);
});
