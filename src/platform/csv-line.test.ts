import { expect, test } from "vitest";
import { csvLine } from "./csv-line.ts";

test("a cell keeps its commas, quotes and line breaks", () => {
  expect(csvLine(["a,b", 'a "no"', "two\nlines", null, 3, { a: 1 }])).toBe(
    '"a,b","a ""no""","two\nlines","","3","{""a"":1}"',
  );
});

test.each(["=1+1", "+1", "-1", "@sum(a)", "\t=1", "\r=1"])(
  "a spreadsheet shows %j and does not run it",
  (formula) => {
    expect(csvLine([formula])).toBe(`"'${formula}"`);
  },
);
