import type { SourceCell, SourceTable, TableLook } from "./document.ts";
import type { TextMaker } from "./make-text.ts";
import type { Random } from "./random.ts";

export interface TableWish {
  look: TableLook;
  rows: number;
  columns: number;
  /** Cells that span several columns and rows. */
  spans?: boolean;
  /** Cells with several lines. */
  wordy?: boolean;
  /** Cells with tables in them. */
  nested?: boolean;
}

const cell = (text: string, across = 1, down = 1): SourceCell => ({ text, across, down });

export function makeTable(random: Random, text: TextMaker, wish: TableWish): SourceTable {
  const { rows, columns, look } = wish;
  const wordyColumn = wish.wordy ? random.whole(columns > 2 ? 1 : 0, columns - 1) : -1;
  const numbers = Array.from({ length: columns }, (_, at) => {
    const worded = at === wordyColumn || (wish.nested && at === columns - 1);
    return at > 0 && !worded && random.chance(0.7);
  });
  const sparse = random.chance(0.25);
  const body = Array.from({ length: rows }, () =>
    numbers.map((number, at) => {
      if (at > 0 && sparse && random.chance(0.12)) return cell("");
      if (at === wordyColumn) return cell(text.phrase(6, 18));
      return cell(number ? text.value() : at === 0 ? text.label() : text.phrase(1, 3));
    }),
  );
  const names = numbers.map(() => cell(text.phrase(1, 2)));
  const spanned = wish.spans && columns > 3 && random.chance(0.6);
  const head = spanned ? [overColumns(random, text, columns), names] : [names];
  if (spanned && random.chance(0.5)) joinFirst(head);
  if (wish.nested) nest(random, text, body, columns - 1);
  if (wish.spans) joinDown(random, body);
  if (wish.spans && random.chance(0.3)) addSection(random, text, body, columns);
  return { headRows: head.length, columns, rows: [...head, ...body], look, numbers };
}

/** Puts small tables, ruled, coloured or open, into some of the cells of column `at`. */
function nest(random: Random, text: TextMaker, body: SourceCell[][], at: number): void {
  const first = random.whole(0, body.length - 1);
  const look = random.pick(["grid", "levels", "zebra", "none"] as const);
  for (const [y, row] of body.entries()) {
    const outer = row[at];
    if (!outer || (y !== first && random.chance(0.5))) continue;
    const rows = random.whole(1, 3);
    outer.table = makeTable(random, text, { look, rows, columns: 2 });
    if (random.chance(0.5)) outer.text = "";
  }
}

/** A header row whose names span two or more columns each. */
function overColumns(random: Random, text: TextMaker, columns: number): SourceCell[] {
  const row = [cell("")];
  let left = columns - 1;
  while (left > 0) {
    const across = left < 4 ? left : random.whole(2, left - 2);
    row.push(cell(text.phrase(1, 2), across));
    left -= across;
  }
  return row;
}

/** Lets the name of the first column span both header rows. */
function joinFirst(head: SourceCell[][]): void {
  const [over, names] = head;
  const name = names?.shift();
  if (over && name) over[0] = cell(name.text, 1, 2);
}

/** Lets cells of the first column span several rows. */
function joinDown(random: Random, body: SourceCell[][]): void {
  let at = 0;
  while (at < body.length) {
    const down = Math.min(random.whole(1, 3), body.length - at);
    const first = body[at]?.[0];
    if (first && down > 1) {
      first.down = down;
      for (let below = at + 1; below < at + down; below += 1) body[below]?.shift();
    }
    at += down;
  }
}

/** Adds a row with one cell over the whole width, between two rows that no cell joins. */
function addSection(
  random: Random,
  text: TextMaker,
  body: SourceCell[][],
  columns: number,
): void {
  const places = body
    .map((row, at) => ({ row, at }))
    .filter(({ row, at }) => at > 0 && row.length === columns)
    .map(({ at }) => at);
  if (places.length > 0)
    body.splice(random.pick(places), 0, [cell(text.phrase(2, 4), columns)]);
}
