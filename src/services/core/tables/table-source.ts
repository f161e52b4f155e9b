import { cutText } from "../../../platform/cut-text.ts";
import type { QueriedTable } from "../../parser/tables/contract.ts";
import type { Source, TableOfSource } from "../sources/contract.ts";

/** Of the rows that are kept with the reply, of each of the two tables. */
const MAX_KEPT_CHARACTERS = 60_000;
const MAX_KEPT_CELL_CHARACTERS = 500;

/**
 * An answer of a query as a source: its rows, and the first of those that its sums are made from,
 * are kept with the reply, so that the person can open them later.
 */
export function toTableSource(
  answer: QueriedTable & { scope: string[] },
  sql: string,
  index: number,
): Source {
  const { documents, columns, rows, cut, behind, scope } = answer;
  const [first] = documents;
  return {
    index,
    kind: "table",
    documentId: first?.id ?? "",
    fileName: documents.map(({ fileName }) => fileName).join(", ") || "SQL",
    pageNumber: null,
    // each query is a source of its own
    chunkIndex: -index,
    score: 1,
    content: rowsText(
      columns.map(({ name }) => name),
      rows,
    ).slice(0, MAX_KEPT_CHARACTERS),
    table: {
      sql,
      documentIds: scope,
      answer: keep(columns, rows, cut),
      ...(behind && {
        behind: {
          ...keep(behind.columns, behind.rows, behind.cut),
          total: behind.total,
          sql: behind.sql,
        },
      }),
    },
  };
}

function keep(
  columns: QueriedTable["columns"],
  rows: QueriedTable["rows"],
  cut: boolean,
): TableOfSource["answer"] {
  const kept: (string | null)[][] = [];
  let room = MAX_KEPT_CHARACTERS;
  for (const row of rows) {
    const cells = row.map((cell) => cell && cutText(cell, MAX_KEPT_CELL_CHARACTERS));
    room -= cells.reduce((sum, cell) => sum + (cell?.length ?? 0) + 4, 0);
    if (room < 0) return { columns, rows: kept, cut: true };
    kept.push(cells);
  }
  return { columns, rows: kept, cut };
}

/** Rows as values between commas, which models read well. */
export function rowsText(
  names: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): string {
  return [names, ...rows]
    .map((row) => row.map((cell) => toValue(cell ?? "")).join(","))
    .join("\n");
}

/** Source: RFC 4180. */
function toValue(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
