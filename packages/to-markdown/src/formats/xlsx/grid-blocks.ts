import { type Block, type Cell, paragraph, textCell } from "../blocks.ts";

/** A merged cell; its ends are included. */
export interface Merge {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** The cells of a sheet with content, by row and column from 0. */
export interface SheetGrid {
  /** The number of formulas whose result is not stored: their formula stands in the cell. */
  uncalculated?: number;
  rows: Map<number, Map<number, string>>;
  merges: Merge[];
  count: number;
  /** Whether cells beyond the limit were left out. */
  cut: boolean;
}

const MAX_REPEATED_CHARACTERS = 80;
const MAX_COVERED = 200;
const MAX_LABEL_CHARACTERS = 120;

/**
 * Divides a sheet into tables: at empty rows, and at empty columns where both sides are tables. A
 * single cell is a paragraph.
 */
export function gridBlocks({ rows, merges }: SheetGrid): Block[] {
  repeatMerged(rows, merges);
  const order = [...rows.keys()].toSorted((a, b) => a - b);
  const blocks: Block[] = [];
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && (order[to] ?? 0) === (order[to - 1] ?? 0) + 1) to += 1;
    // an empty row often separates a header from its rows
    if (
      to === from + 1 &&
      (order[to] ?? 0) - (order[from] ?? 0) === 2 &&
      isHeadOf(rows.get(order[from] ?? 0), rows.get(order[to] ?? 0))
    ) {
      to += 1;
      while (to < order.length && (order[to] ?? 0) === (order[to - 1] ?? 0) + 1) to += 1;
    }
    const band = order
      .slice(from, to)
      .map((row) => ({ number: row + 1, cells: rows.get(row) ?? new Map() }));
    for (const part of beside(band)) blocks.push(...partBlocks(part));
    from = to;
  }
  return blocks;
}

function isHeadOf(
  head: Map<number, string> | undefined,
  row: Map<number, string> | undefined,
): boolean {
  if (!head || !row || head.size < 2 || head.size !== row.size) return false;
  return (
    [...row.keys()].every((column) => head.has(column)) &&
    [...head.values()].every((text) => !/^[\d.,\s%-]+$/.test(text))
  );
}

/** Repeats the label of a merged cell in each place that it covers, as in other tables. */
function repeatMerged(
  rows: Map<number, Map<number, string>>,
  merges: readonly Merge[],
): void {
  for (const { top, left, bottom, right } of merges) {
    const text = rows.get(top)?.get(left);
    // a merged cell that is the only one of its row is a title, which is not repeated
    if (bottom === top && rows.get(top)?.size === 1) continue;
    if (
      text === undefined ||
      text.length > MAX_REPEATED_CHARACTERS ||
      (bottom - top + 1) * (right - left + 1) > MAX_COVERED
    )
      continue;
    for (let row = top; row <= bottom; row += 1) {
      const cells = rows.get(row);
      // a row that is covered completely is not a row of its own
      if (!cells) continue;
      for (let column = left; column <= right; column += 1)
        if (!cells.has(column)) cells.set(column, text);
    }
  }
}

interface Row {
  /** Its number in the sheet, from 1. */
  number: number;
  cells: Map<number, string>;
}

function beside(band: readonly Row[]): Row[][] {
  const used = [...new Set(band.flatMap(({ cells }) => [...cells.keys()]))].toSorted(
    (a, b) => a - b,
  );
  const groups: number[][] = [];
  for (const column of used) {
    const last = groups.at(-1);
    if (last && column === (last.at(-1) ?? 0) + 1) last.push(column);
    else groups.push([column]);
  }
  if (groups.length < 2 || band.length < 2 || groups.some((group) => group.length < 2))
    return [[...band]];
  return groups.map((group) => {
    const columns = new Set(group);
    return band
      .map(({ number, cells }) => ({
        number,
        cells: new Map([...cells].filter(([column]) => columns.has(column))),
      }))
      .filter(({ cells }) => cells.size > 0);
  });
}

function partBlocks(part: readonly Row[]): Block[] {
  const columns = [...new Set(part.flatMap(({ cells }) => [...cells.keys()]))].toSorted(
    (a, b) => a - b,
  );
  const [only] = part;
  const column = columns[0] ?? 0;
  const textBlock = ({ number, cells }: Row) =>
    paragraph([{ text: cells.get(column) ?? "" }], { sheetRow: number });
  if (only && part.length === 1 && columns.length === 1) return [textBlock(only)];
  // a column of sentences is text
  if (
    columns.length === 1 &&
    part.some(({ cells }) => (cells.get(column)?.length ?? 0) > MAX_LABEL_CHARACTERS)
  )
    return part.map(textBlock);
  const rows: Cell[][] = part.map(({ cells }) =>
    columns.map((each) => cellOf(cells.get(each) ?? "")),
  );
  const sheetRows = part.map(({ number }) => number);
  return [{ kind: "table", rows, sheetRows, depth: 0, quote: 0 }];
}

/** A cell of text. A formula is code, so that its signs stay as they are. */
function cellOf(text: string): Cell {
  if (!/^=[^=\s|`][^|`\n]*$/.test(text)) return textCell(text);
  return { blocks: [paragraph([{ text, code: true }])], columns: 1, rows: 1 };
}
