import { expect, test } from "vitest";
import { readChartRows } from "./chart-rows.ts";
import { toCsv, toTabs } from "./to-csv.ts";

test("CSV quotes what needs it, and keeps formulas as text, but not numbers", () => {
  const rows = [
    ["a,b", 'say "x"', "two\nlines"],
    ["=SUM(A1)", "-3.5", "@cmd"],
  ];
  expect(toCsv(rows)).toBe('"a,b","say ""x""","two\nlines"\r\n\'=SUM(A1),-3.5,\'@cmd\r\n');
});

test("a cell of the clipboard is one cell", () => {
  expect(toTabs([["a\tb", "c\nd"], ["e"]])).toBe("a b\tc d\ne");
});

test("the data of a chart are its table, wherever they stand", () => {
  const values = [
    { x: 1, y: "a" },
    { x: 2, z: null },
  ];
  const rows = [
    ["x", "y", "z"],
    ["1", "a", ""],
    ["2", "", ""],
  ];
  const read = (spec: unknown) => readChartRows(JSON.stringify(spec));
  expect(read({ data: { values } })).toEqual(rows);
  expect(read({ data: { name: "d" }, datasets: { d: values } })).toEqual(rows);
  expect(read({ data: [{ name: "a" }, { name: "b", values }] })).toEqual(rows);
  expect(read({ layer: [{ mark: "bar" }, { data: { values } }] })).toEqual(rows);
  expect(read({ data: { values: [3, 4] } })).toEqual([["value"], ["3"], ["4"]]);
  expect(read({ data: { url: "x" } })).toBeUndefined();
  expect(readChartRows("{")).toBeUndefined();
});
