import type { Table } from "./layout.ts";

/** The head of a table has no more lines. */
const MAX_HEAD_LINES = 4;

/**
 * Puts the lines of a head together that a table repeats on a page with few of its rows: there,
 * what tells lines of a cell from rows may be missing, and the head on the page before shows it.
 * @param pages the tables of each page
 */
export function joinRepeatedHeads(pages: readonly (readonly Table[])[]): void {
  let last: Table | undefined;
  for (const page of pages) {
    const tables = page.toSorted((a, b) => a.top - b.top);
    const [first] = tables;
    const head = last?.rows[0];
    if (first && head) joinHead(first, head);
    last = tables.at(-1);
  }
}

function joinHead(table: Table, head: readonly string[]): void {
  for (let count = 2; count <= MAX_HEAD_LINES && count < table.rows.length; count += 1) {
    const lines = table.rows.slice(0, count);
    const joined = head.map((_, column) =>
      lines
        .map((row) => row[column] ?? "")
        .filter(Boolean)
        .join(" "),
    );
    if (!lines.every((row) => row.length === head.length)) return;
    if (joined.every((text, column) => text === head[column])) {
      table.rows.splice(0, count, joined);
      return;
    }
  }
}
