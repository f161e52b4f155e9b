import { isUtf8 } from "node:buffer";
import { appendFileSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import { decodeText, SAMPLE_BYTES } from "@parlance/to-markdown/formats/decode-text.ts";
import { findDelimited, records } from "@parlance/to-markdown/formats/read-delimited.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { toApiError } from "../reading/to-api-error.ts";
import { literal, quoted } from "./column-kinds.ts";
import { uniqueNames } from "./find-header.ts";
import { openDuckdb } from "./open-duckdb.ts";
import type { TableKind } from "./contract.ts";
import { INPUT, MAX_COLUMNS, MAX_TABLES, OUTPUT, type PreparedTable } from "./prepared.ts";
import { describeTable, tooWide, typeTable } from "./type-table.ts";

const ROWS = "rows.csv";
const MAX_LINE_BYTES = 16 * 2 ** 20;
const OUT_OF_MEMORY = "Out of Memory Error";
const WRITE_BYTES = 2 ** 20;

/**
 * Reads the tables of a file, in a worker process, and writes them as a database that queries open:
 * rows under named columns, each of one type.
 */
export default async function prepareTables(
  { kind }: { kind: TableKind },
  _: Buffer,
  folder: string,
): Promise<PreparedTable[]> {
  // one thread keeps the order of the rows
  using db = await openDuckdb(folder, { threads: 1, spills: true });
  try {
    await db.run(`attach ${literal(OUTPUT)} as o`);
    const tables = await READERS[kind](db);
    await db.run("detach o");
    return tables;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith(OUT_OF_MEMORY)) throw tooLarge();
    if (error instanceof Error && /^[A-Z][\w ]+ Error: /.test(error.message))
      throw unreadable(error);
    throw toApiError(error);
  }
}

function tooLarge(): ApiError {
  return new ApiError(
    422,
    "too_complex",
    "The tables of this file are too large to be queried. Divide the file.",
  );
}

type Read = (db: DuckDBConnection) => Promise<PreparedTable[]>;

const READERS: Record<TableKind, Read> = {
  csv: (db) => readText(db, undefined),
  tsv: (db) => readText(db, "\t"),
  xlsx: (db) => readSheets(db, "readXlsxRows"),
  ods: (db) => readSheets(db, "readOdsRows"),
  parquet: (db) => readTyped(db, `read_parquet(${literal(INPUT)})`),
  jsonl: (db) =>
    readTyped(db, `read_json(${literal(INPUT)}, format = 'newline_delimited')`),
};

function unreadable(cause: Error): ApiError {
  return new ApiError(
    422,
    "table_unreadable",
    "The rows of this file cannot be read: it is damaged, or not what its name says. Save it " +
      "again, or send another copy.",
    { cause },
  );
}

async function readText(
  db: DuckDBConnection,
  fixed: string | undefined,
): Promise<PreparedTable[]> {
  const bytes = readFileSync(INPUT);
  if (!isUtf8(bytes)) writeFileSync(INPUT, decodeText(bytes));
  const text = () => (isUtf8(bytes) ? bytes.toString("utf8") : decodeText(bytes));
  const start = (isUtf8(bytes) ? bytes.subarray(0, SAMPLE_BYTES).toString("utf8") : text())
    .slice(0, SAMPLE_BYTES)
    .replace(/^\ufeff/, "");
  const { delimiter, body, length } = findDelimited(start, fixed);
  const above = start.slice(0, start.length - body.length + length);
  const skip = (above.match(/\r\n?|\n/g) ?? []).length;
  await readLines(db, delimiter, skip).catch(async (error: unknown) => {
    if (error instanceof Error && error.message.startsWith(OUT_OF_MEMORY)) throw error;
    const width = writeRecords(records(text().replace(/^\ufeff/, ""), delimiter));
    await readWritten(db, width);
  });
  const how = { semicolons: delimiter === ";", exact: false };
  const table = await typeTable(db, "t0", "", how);
  return table ? [table] : [];
}

/** Most files are read by DuckDB alone. */
async function readLines(db: DuckDBConnection, delimiter: string, skip: number) {
  await db.run(`create or replace table raw as select * from read_csv(${literal(INPUT)},
    delim = ${literal(delimiter)}, quote = '"', escape = '"', header = false, skip = ${skip},
    all_varchar = true, null_padding = true, strict_mode = false,
    max_line_size = ${MAX_LINE_BYTES})`);
}

async function readSheets(
  db: DuckDBConnection,
  reader: "readXlsxRows" | "readOdsRows",
): Promise<PreparedTable[]> {
  const read = (await import("@parlance/to-markdown/formats/read-rows.ts"))[reader];
  const sheets: { name: string; file: string; width: number }[] = [];
  let lines = "";
  const flush = () => {
    const file = sheets.at(-1)?.file;
    if (file !== undefined) appendFileSync(file, lines);
    lines = "";
  };
  await read(readFileSync(INPUT), {
    sheet(name) {
      flush();
      if (sheets.length >= MAX_TABLES) return;
      sheets.push({ name, file: `sheet${sheets.length}.csv`, width: 0 });
    },
    row(cells) {
      const sheet = sheets.at(-1);
      const width = Math.max(...cells.keys()) + 1;
      if (!sheet || width > MAX_COLUMNS) return;
      sheet.width = Math.max(sheet.width, width);
      lines += toLine(Array.from({ length: width }, (_, at) => cells.get(at) ?? ""));
      if (lines.length > WRITE_BYTES) flush();
    },
  });
  flush();
  const tables: PreparedTable[] = [];
  for (const { name, file, width } of sheets) {
    if (width === 0) continue;
    await readWritten(db, width, file);
    unlinkSync(file);
    const how = { semicolons: false, exact: true };
    const table = await typeTable(db, `t${tables.length}`, name, how);
    if (table) tables.push(table);
  }
  return tables;
}

/** Values in quotes, so that every text stays what it is. */
function toLine(cells: readonly string[]): string {
  const written = cells.map((cell) =>
    cell === "" ? "" : `"${cell.replaceAll('"', '""').replaceAll("\0", "")}"`,
  );
  return `${written.join(",")}\n`;
}

/** Writes what the lenient reader finds. @returns the most columns of a row. */
function writeRecords(rows: Iterable<string[]>): number {
  let width = 1;
  let lines = "";
  writeFileSync(ROWS, "");
  for (const cells of rows) {
    if (cells.length > MAX_COLUMNS) throw tooWide();
    width = Math.max(width, cells.length);
    lines += toLine(cells);
    if (lines.length < WRITE_BYTES) continue;
    appendFileSync(ROWS, lines);
    lines = "";
  }
  appendFileSync(ROWS, lines);
  return width;
}

async function readWritten(db: DuckDBConnection, width: number, file = ROWS) {
  const columns = Array.from({ length: width }, (_, at) => `'column${at}': 'VARCHAR'`);
  await db.run(`create or replace table raw as select * from read_csv(${literal(file)},
    delim = ',', quote = '"', escape = '"', header = false, auto_detect = false,
    null_padding = true, max_line_size = ${MAX_LINE_BYTES}, columns = {${columns.join(", ")}})`);
}

/** Files that say the types of their columns. */
async function readTyped(db: DuckDBConnection, from: string): Promise<PreparedTable[]> {
  const columns = (await db.runAndReadAll(`select * from ${from} limit 0`)).columnNames();
  if (columns.length > MAX_COLUMNS) throw tooWide();
  const names = uniqueNames(columns);
  const chosen = columns.map(
    (column, at) => `${quoted(column)} as ${quoted(names[at] ?? "")}`,
  );
  await db.run(`create table o.main.t0 as select ${chosen.join(", ")} from ${from}`);
  return [await describeTable(db, { id: "t0", sheet: "", above: [] })];
}
