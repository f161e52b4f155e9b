import type { DuckDBConnection } from "@duckdb/node-api";
import { ApiError, BadRequest } from "../../../platform/http/errors.ts";
import { literal, quoted } from "./column-kinds.ts";
import { MAX_CSV_CHARACTERS, MAX_CSV_ROWS } from "./contract.ts";
import { openDuckdb } from "./open-duckdb.ts";
import { toTexts } from "./type-table.ts";
import type { Column } from "./prepared.ts";
import { readSelect } from "./read-select.ts";

export interface TableInput {
  /** The database in the worker's folder that holds it. */
  file: string;
  id: string;
  /** As the query names it. */
  name: string;
}

export interface QueryInput {
  sql: string;
  tables: readonly TableInput[];
  maxRows: number;
  /** How many of the rows that sums are made from are returned; 0: none. */
  maxBehind: number;
}

export interface Rows {
  columns: Column[];
  rows: (string | null)[][];
  /** Whether there are more rows. */
  cut: boolean;
}

export interface BehindRows extends Rows {
  /** The query that returns all of them. */
  sql: string;
  total: number;
}

export interface QueryOutput extends Rows {
  /** The rows that the sums, counts and groups of the answer are made from. */
  behind?: BehindRows | undefined;
  /** The names of the tables that the query reads. */
  tables: string[];
}

const THREADS = 2;
const MAX_CELL_CHARACTERS = 2_000;
const MAX_CHARACTERS = 1_000_000;
const MAX_MESSAGE_CHARACTERS = 1_000;

/** Runs one SELECT over the tables, in a worker process. */
export default function queryTables(
  input: QueryInput,
  _: Buffer,
  folder: string,
): Promise<QueryOutput> {
  return withTables(input.tables, folder, (db) => query(db, input));
}

/** The same, with all rows as CSV. */
export function exportTables(
  { sql, tables }: Pick<QueryInput, "sql" | "tables">,
  _: Buffer,
  folder: string,
): Promise<string> {
  return withTables(tables, folder, async (db) => {
    await readSelect(
      db,
      sql,
      tables.map(({ name }) => name),
    );
    return readCsv(db, sql);
  });
}

async function withTables<Answer>(
  tables: readonly TableInput[],
  folder: string,
  work: (db: DuckDBConnection) => Promise<Answer>,
): Promise<Answer> {
  using db = await openDuckdb(folder, { threads: THREADS, spills: false });
  const attached = new Map<string, string>();
  for (const { file } of tables) {
    if (attached.has(file)) continue;
    attached.set(file, `d${attached.size}`);
    await db.run(`attach ${literal(file)} as ${attached.get(file)} (read_only)`);
  }
  for (const { file, id, name } of tables)
    await db.run(
      `create view ${quoted(name)} as select * from ${attached.get(file)}.main.${id}`,
    );
  await lock(db);
  try {
    return await work(db);
  } catch (error) {
    throw error instanceof ApiError ? error : failed(error, tables);
  }
}

/** From here on nothing reaches a file, the network, an extension or another setting. */
async function lock(db: DuckDBConnection): Promise<void> {
  await db.run("set enable_external_access = false");
  await db.run("set lock_configuration = true");
}

async function query(
  db: DuckDBConnection,
  { sql, tables: given, maxRows, maxBehind }: QueryInput,
): Promise<QueryOutput> {
  const known = given.map(({ name }) => name);
  const { tables, behind } = await readSelect(db, sql, known);
  const answer = await readRows(db, sql, maxRows);
  if (behind === undefined || maxBehind === 0) return { ...answer, tables };
  return { ...answer, tables, behind: await readBehind(db, behind, maxBehind) };
}

async function readBehind(
  db: DuckDBConnection,
  sql: string,
  maxRows: number,
): Promise<BehindRows | undefined> {
  try {
    const rows = await readRows(db, sql, maxRows);
    const [[total = "0"] = []] = (await readRows(db, `select count(*) from (${sql})`, 1))
      .rows;
    return { ...rows, sql, total: Number(total) };
  } catch {
    // names that only the sums give, such as those of a lateral join
    return undefined;
  }
}

async function readRows(db: DuckDBConnection, sql: string, maxRows: number): Promise<Rows> {
  const result = await db.stream(sql);
  const columns = result.deduplicatedColumnNames().map((name, at) => ({
    name,
    type: result.columnType(at).toString(),
  }));
  const rows: (string | null)[][] = [];
  let room = MAX_CHARACTERS;
  for await (const chunk of result.yieldRowsJson())
    for (const row of toTexts(chunk)) {
      const cells = row.map((cell) => cell && cutCell(cell));
      room -= cells.reduce((sum, cell) => sum + (cell?.length ?? 0) + 1, 0);
      if (rows.length >= maxRows || room < 0) return { columns, rows, cut: true };
      rows.push(cells);
    }
  return { columns, rows, cut: false };
}

async function readCsv(db: DuckDBConnection, sql: string): Promise<string> {
  const result = await db.stream(sql);
  const lines = [toLine(result.deduplicatedColumnNames())];
  let room = MAX_CSV_CHARACTERS;
  for await (const chunk of result.yieldRowsJson()) {
    for (const row of toTexts(chunk)) {
      const line = toLine(row);
      room -= line.length;
      if (lines.length > MAX_CSV_ROWS || room < 0) throw tooManyRows();
      lines.push(line);
    }
  }
  return lines.join("");
}

/** Spreadsheets run a cell that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?[\d.,]+(?:[eE][+-]?\d+)?%?$/;

/** Source: RFC 4180. */
function toLine(cells: readonly (string | null)[]): string {
  const fields = cells.map((cell) => {
    const value = cell ?? "";
    const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${fields.join(",")}\r\n`;
}

function tooManyRows(): ApiError {
  return new ApiError(
    422,
    "too_complex",
    `The answer has more than ${MAX_CSV_ROWS} rows or ${MAX_CSV_CHARACTERS} characters. Change the query to select fewer.`,
  );
}

function cutCell(text: string): string {
  if (text.length <= MAX_CELL_CHARACTERS) return text;
  return `${text.slice(0, MAX_CELL_CHARACTERS).toWellFormed()}…`;
}

/** DuckDB's own message: it says what is wrong, and what is meant perhaps. */
function failed(error: unknown, tables: readonly TableInput[]): ApiError {
  const said = error instanceof Error ? error.message : String(error);
  const names = tables.map(({ name }) => quoted(name)).join(", ");
  const message = said
    .replace("Failed to extract statements: ", "")
    // it suggests tables of its own catalogue
    .replace(
      /(Table with name .{1,200} does not exist!)\n.*/,
      `$1 The tables are: ${names}.`,
    )
    .slice(0, MAX_MESSAGE_CHARACTERS)
    .toWellFormed();
  if (message.startsWith("Out of Memory Error"))
    return new ApiError(
      422,
      "too_complex",
      "The query needs more memory than one query may use. Change it to read fewer rows or columns.",
    );
  return new BadRequest("query_failed", `The query failed. Correct it: ${message}`, {
    params: { reason: message },
  });
}
