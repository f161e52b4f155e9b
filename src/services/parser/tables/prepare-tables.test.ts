import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildZip } from "@parlance/to-markdown/formats/build-zip.test-support.ts";
import { buildXlsx, STYLES } from "./testing/build-xlsx.ts";
import { scratchTables } from "./testing/scratch-tables.ts";

let scratch: Awaited<ReturnType<typeof scratchTables>>;
beforeAll(async () => {
  scratch = await scratchTables();
});
afterAll(() => scratch[Symbol.asyncDispose]());
beforeEach(() => scratch.documents.splice(0));

const columnsOf = async (at = 0) => {
  const { tables } = await scratch.describe();
  return Object.fromEntries(
    (tables[at]?.columns ?? []).map(({ name, type }) => [name, type]),
  );
};

test("a CSV as German programs write it: title, semicolons, commas, days, postcodes", async () => {
  scratch.add(
    "Umsätze 2025.csv",
    "Bericht 2025;;;\n\nKunde;Umsatz;Datum;PLZ\nAda;1.234,50;01.02.2025;01067\n" +
      "Bob;99,9;13.11.2025;10115\nEve;k.A.;;99999\n",
  );
  const { tables } = await scratch.describe();
  expect(tables).toMatchObject([
    { name: "Umsätze 2025", rows: 3, notes: ["Above the table stands: Bericht 2025"] },
  ]);
  expect(await columnsOf()).toEqual({
    Kunde: "VARCHAR",
    Umsatz: "DECIMAL(18,2)",
    Datum: "DATE",
    PLZ: "VARCHAR",
  });
  const { rows } = await scratch.query(
    'select sum("Umsatz"), min("Datum"), min("PLZ"), count("Umsatz") from "Umsätze 2025"',
  );
  expect(rows).toEqual([["1334.40", "2025-02-01", "01067", "2"]]);
});

test("texts in other encodings, and lines of unequal length, are read", async () => {
  scratch.add("latin.csv", Buffer.from("Stra\xdfe;Zahl\nM\xfcllerstra\xdfe;1\n", "latin1"));
  scratch.add("uneven.csv", 'a,b\n1,x\n2\n3,"y, ""z""",more\n');
  expect((await scratch.query('select "Straße" from latin')).rows).toEqual([
    ["Müllerstraße"],
  ]);
  const { rows } = await scratch.query("select a, b from uneven order by a");
  expect(rows).toEqual([
    ["1", "x"],
    ["2", null],
    ["3", 'y, "z"'],
  ]);
});

test("a value that does not fit, far below the first rows, makes its column text", async () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => `${at},${at}`);
  scratch.add("late.csv", `id,code\n${lines.join("\n")}\n30000,x-1\n`);
  expect(await columnsOf()).toEqual({ id: "BIGINT", code: "VARCHAR" });
  const { rows } = await scratch.query("select count(code), max(id) from late");
  expect(rows).toEqual([["30001", "30000"]]);
});

test("sums of money are exact, and the rows keep their order", async () => {
  scratch.add("money.csv", "a,b\n0.1,3\n0.2,1\n0.3,2\n");
  expect((await scratch.query("select sum(a) from money")).rows).toEqual([["0.6"]]);
  expect((await scratch.query("select b from money")).rows).toEqual([["3"], ["1"], ["2"]]);
});

test.each([
  ["13/02/2025\n14/02/2025", "DATE", "2025-02-13"],
  ["02/13/2025\n02/14/2025", "DATE", "2025-02-13"],
  ["2025-02-13 10:00:00\n2025-02-14T11:30", "TIMESTAMP", "2025-02-13 10:00:00"],
  ["13.02.2025 10:00\n14.02.2025 11:30", "TIMESTAMP", "2025-02-13 10:00:00"],
  ["true\nFALSE", "BOOLEAN", "false"],
  ["€1,234.50\n€2.00", "DECIMAL(18,2)", "2.00"],
  ["1e3\n2.5e-2", "DOUBLE", "0.025"],
  ["12345678901234567890\n2", "VARCHAR", "12345678901234567890"],
  ["0041 1\n0042 2", "VARCHAR", "0041 1"],
])("values such as %j are %s", async (values, type, least) => {
  const id = `x${Math.random().toString(36).slice(2)}`;
  scratch.add(`${id}.csv`, `v\tname\n${values.replaceAll("\n", `\t${id}\n`)}\t${id}\n`);
  expect(await columnsOf()).toMatchObject({ v: type });
  expect((await scratch.query(`select min(v) from ${id}`)).rows).toEqual([[least]]);
});

test("each sheet of a workbook is a table, with values and not what their formats add", async () => {
  const { date, fiveDigits, euro, percent } = STYLES;
  scratch.add(
    "Sales.xlsx",
    buildXlsx({
      North: [
        ["Day", "Code", "Amount", "Share", "Text"],
        [
          { value: 45_000, style: date },
          { value: 501, style: fiveDigits },
          { value: 1234.5, style: euro },
          { value: 0.07, style: percent },
          "007",
        ],
      ],
      Empty: [],
      South: [["Name"], ["Ada"]],
    }),
  );
  const { tables } = await scratch.describe();
  expect(tables.map(({ name, sheet, rows }) => [name, sheet, rows])).toEqual([
    ["Sales North", "North", 1],
    ["Sales South", "South", 1],
  ]);
  expect((await scratch.query('select * from "Sales North"')).rows).toEqual([
    ["2023-03-15", "00501", "1234.5", "0.07", "007"],
  ]);
  expect(await columnsOf()).toEqual({
    Day: "DATE",
    Code: "VARCHAR",
    Amount: "DECIMAL(18,1)",
    Share: "DECIMAL(18,2)",
    Text: "VARCHAR",
  });
});

test("OpenDocument sheets and lines of JSON are tables", async () => {
  const cell = (text: string, type = "string", value = "") =>
    `<table:table-cell office:value-type="${type}"${value}><text:p>${text}</text:p></table:table-cell>`;
  const row = (...cells: string[]) =>
    `<table:table-row>${cells.join("")}</table:table-row>`;
  scratch.add(
    "stock.ods",
    buildZip({
      mimetype: "application/vnd.oasis.opendocument.spreadsheet",
      "content.xml": `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet><table:table table:name="One">${row(
        cell("Item"),
        cell("Count"),
      )}${row(cell("Tea"), cell("7", "float", ' office:value="7"'))}</table:table></office:spreadsheet></office:body></office:document-content>`,
    }),
  );
  scratch.add("log.jsonl", '{"at":"2025-01-01","n":1,"who":{"name":"Ada"}}\n{"n":2}\n');
  expect((await scratch.query('select sum("Count") from stock')).rows).toEqual([["7"]]);
  expect((await scratch.query("select sum(n), min(who.name) from log")).rows).toEqual([
    ["3", "Ada"],
  ]);
});

test("Parquet keeps its types, and a table may have any name", async () => {
  const url = import.meta.resolve("@parlance/to-markdown/formats/fixtures/rows.parquet");
  scratch.add("pg_query.parquet", await readFile(new URL(url)));
  expect(await columnsOf()).toMatchObject({ amount: "DECIMAL(10,2)", day: "DATE" });
  const { rows } = await scratch.query("select sum(amount), max(day) from pg_query");
  expect(rows).toEqual([["4.50", "2025-01-03"]]);
});

test("a damaged file says so, and the others are read", async () => {
  scratch.add("broken.xlsx", Buffer.from("PK\x03\x04 no archive"));
  scratch.add("broken.parquet", Buffer.from("PAR1 nothing PAR1"));
  scratch.add("good.csv", "a\n1\n");
  const { tables, unreadable } = await scratch.describe();
  expect(tables.map(({ name }) => name)).toEqual(["good"]);
  expect(unreadable.map(({ fileName }) => fileName)).toEqual([
    "broken.xlsx",
    "broken.parquet",
  ]);
  for (const { reason } of unreadable) expect(reason).toMatch(/damaged/);
});

test("a total below the rows is pointed out", async () => {
  scratch.add("t.csv", "Item,Sum\nTea,1\nTotal,1\n");
  const { tables } = await scratch.describe();
  expect(tables[0]?.notes).toEqual(["The last row may be a total of the rows above it."]);
});
