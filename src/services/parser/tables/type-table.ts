import type { DuckDBConnection } from "@duckdb/node-api";
import { ApiError } from "../../../platform/http/errors.ts";
import {
  castSql,
  type Conventions,
  digitsSql,
  exactScale,
  guessKind,
  type Kind,
  quoted,
  valueSql,
  weakerKind,
} from "./column-kinds.ts";
import { findHeader, type Row } from "./find-header.ts";
import { MAX_COLUMNS, type PreparedTable } from "./prepared.ts";

const HEAD_ROWS = 40;
const SAMPLE_ROWS = 5_000;
const SHOWN_ROWS = 3;
const MAX_SHOWN_CHARACTERS = 100;
const TOTAL = /^(?:grand )?(?:total|sum|summe|gesamt|insgesamt|gesamtsumme)\b/i;

/** Makes a typed table of the texts in `raw`. @returns undefined where it has no rows. */
export async function typeTable(
  db: DuckDBConnection,
  id: string,
  sheet: string,
  how: Conventions,
): Promise<PreparedTable | undefined> {
  const all = (await db.runAndReadAll("select * from raw limit 0")).columnNames();
  if (all.length > MAX_COLUMNS) throw tooWide();
  const head = await textRows(db, `select * from raw limit ${HEAD_ROWS}`);
  const header = findHeader(head);
  const rows = await textRows(
    db,
    `select * from raw where rowid > ${header.at} limit ${SAMPLE_ROWS}`,
  );
  const guessed = all.map((column, at) => ({
    name: header.names[at] ?? `column ${at + 1}`,
    isNamed: (head[header.at]?.[at] ?? "") !== "",
    value: valueSql(quoted(column)),
    kind: guessKind(
      rows.map((row) => row[at] ?? null),
      how,
    ),
  }));
  const measured = await measure(db, guessed, header.at);
  // what is neither named nor used is no column
  const columns = measured.filter(({ isNamed, count }) => isNamed || count > 0);
  if (columns.length === 0) return undefined;
  const text = all.map(quoted).join(", ");
  const where = `rowid > ${header.at} and concat(${text}) <> ''`;
  for (;;) {
    await writeTable(db, id, columns, where);
    const counts = columns.map(({ name }) => `count(${quoted(name)})`);
    const [found = []] = await textRows(
      db,
      `select ${counts.join(", ")} from o.main.${id}`,
    );
    // the first rows do not say what all are: a value that is lost makes a column text
    const wrong = columns.filter(({ count }, at) => Number(found[at]) !== count);
    if (wrong.length === 0) break;
    for (const column of wrong) column.kind = weakerKind(column.kind);
  }
  return describeTable(db, { id, sheet, above: header.above });
}

interface Guessed {
  name: string;
  isNamed: boolean;
  /** The SQL of its text. */
  value: string;
  kind: Kind;
}

/**
 * Counts the values of each column. Numbers become decimals where these hold all their digits, so
 * that sums of money are exact.
 */
async function measure(
  db: DuckDBConnection,
  columns: readonly Guessed[],
  headerAt: number,
): Promise<(Guessed & { count: number })[]> {
  const measures = columns.map(({ value, kind }) => {
    if (kind.type !== "decimal") return `count(${value}), null, null, null`;
    const digits = digitsSql(value, kind.comma);
    return `count(${value}), max(length(split_part(${digits}, '.', 2))),
      max(length(split_part(${digits}, '.', 1))), bool_or(contains(lower(${digits}), 'e'))`;
  });
  const [row = []] = await textRows(
    db,
    `select ${measures.join(", ")} from raw where rowid > ${headerAt}`,
  );
  return columns.map((column, at) => {
    const [count, scale, before, exponent] = row.slice(at * 4, at * 4 + 4);
    const { kind } = column;
    const exact =
      exponent === "false"
        ? exactScale(Number(scale ?? 0), Number(before ?? 0))
        : undefined;
    return {
      ...column,
      count: Number(count),
      kind:
        kind.type === "decimal" && exact !== undefined ? { ...kind, scale: exact } : kind,
    };
  });
}

async function writeTable(
  db: DuckDBConnection,
  id: string,
  columns: readonly Guessed[],
  where: string,
): Promise<void> {
  const selected = columns.map(
    ({ name, value, kind }) => `${castSql(value, kind)} as ${quoted(name)}`,
  );
  await db.run(`create or replace table o.main.${id} as
    select ${selected.join(", ")} from raw where ${where}`);
}

/** What is said of a table in `o`: its columns, its first rows, and what stands around it. */
export async function describeTable(
  db: DuckDBConnection,
  { id, sheet, above }: { id: string; sheet: string; above: string[] },
): Promise<PreparedTable> {
  const sample = await db.runAndReadAll(`select * from o.main.${id} limit ${SHOWN_ROWS}`);
  const [[count = "0"] = []] = await textRows(db, `select count(*) from o.main.${id}`);
  const [[last] = []] = await textRows(
    db,
    `select * from o.main.${id} order by rowid desc limit 1`,
  );
  const notes = above.map((text) => `Above the table stands: ${text.slice(0, 200)}`);
  if (TOTAL.test(last ?? ""))
    notes.push("The last row may be a total of the rows above it.");
  return {
    id,
    sheet,
    rows: Number(count),
    columns: sample.columnNames().map((name, at) => ({
      name,
      type: sample.columnType(at).toString(),
    })),
    sample: toTexts(sample.getRowsJson()).map((row) =>
      row.map((cell) => cell && cell.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()),
    ),
    notes: notes.slice(0, 5),
  };
}

export function tooWide(): ApiError {
  return new ApiError(
    422,
    "table_unreadable",
    `A table has at most ${MAX_COLUMNS} columns. Divide this one.`,
  );
}

async function textRows(db: DuckDBConnection, sql: string): Promise<Row[]> {
  return toTexts((await db.runAndReadAll(sql)).getRowsJson());
}

/** Values as they are shown: lists and records as JSON. */
export function toTexts(rows: readonly (readonly unknown[])[]): (string | null)[][] {
  return rows.map((row) =>
    row.map((value) => {
      if (value === null || value === undefined) return null;
      return typeof value === "string" ? value : JSON.stringify(value);
    }),
  );
}
