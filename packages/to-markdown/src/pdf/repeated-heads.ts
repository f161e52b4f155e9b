import type { Word, Table } from "./layout.ts";
import type { TaggedCell } from "./page-content.ts";

/** The maximum difference in points between the left edges of a word and its repetition. */
const SAME = 2;
/** No author writes tables with more words. */
const MAX_WORDS = 20_000;
const MAX_HEAD_WORDS = 500;

/**
 * Tags the repeated header of a table that continues from an earlier page. Programs repeat the
 * header on every page, but tag it only on the first.
 * @param head the result for the page before
 * @returns the header that later pages may repeat
 */
export function tagRepeatedHead(
  words: readonly Word[],
  head: readonly Word[],
): readonly Word[] {
  const told = words.filter(({ cell }) => cell);
  if (told.length > MAX_WORDS) return [];
  const tableOf = (number: number | undefined) =>
    told.filter(({ cell }) => cell?.table === number);
  const first = tableOf(told[0]?.cell?.table);
  if (first.length > 0 && headOf(first).length === 0) {
    const top = Math.min(...first.map((word) => word.top));
    const above = words.filter((word) => !word.cell && word.baseline <= top);
    giveCells(findAgain(head, above), first[0]?.cell?.table ?? 0);
  }
  const last = headOf(tableOf(told.at(-1)?.cell?.table));
  return last.length > 0 ? last : head;
}

/** The words of the header rows of a table, above the rows with data. */
function headOf(table: readonly Word[]): Word[] {
  const bodies = table
    .filter(({ cell }) => cell && !cell.head)
    .map(({ cell }) => cell?.row ?? 0);
  if (bodies.length === 0) return [];
  const end = Math.min(...bodies);
  const head = table.filter(({ cell }) => cell && cell.row < end);
  return head.length > MAX_HEAD_WORDS ? [] : head;
}

/** Pairs each word of the header with its repetition; empty unless all of them are repeated. */
function findAgain(head: readonly Word[], words: readonly Word[]): [Word, Word][] {
  const free = new Set(words);
  const pairs: [Word, Word][] = [];
  for (const word of head) {
    const again = [...free].find(
      ({ text, left }) => text === word.text && Math.abs(left - word.left) <= SAME,
    );
    if (!again) return [];
    free.delete(again);
    pairs.push([word, again]);
  }
  return pairs;
}

/** Adds words that repeat a header above the rows of `table`, in the same cells. */
function giveCells(pairs: readonly [Word, Word][], table: number): void {
  const rows = Math.max(...pairs.map(([{ cell }]) => cell?.row ?? 0)) + 1;
  const cells = new Map<TaggedCell | undefined, TaggedCell>();
  for (const [{ cell }, again] of pairs) {
    if (!cell) continue;
    const placed = cells.get(cell) ?? { ...cell, table, row: cell.row - rows };
    cells.set(cell, placed);
    again.cell = placed;
  }
}

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
