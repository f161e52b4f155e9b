import type { Block, Cell } from "../blocks.ts";
import { type SheetGrid } from "../xlsx/grid-blocks.ts";
import { type Element, attributeOf, elementsOf, findAll, textIn } from "../xml-tree.ts";

const MAX_REPEATED = 1_000;

/** The rows in order, including those in groups and headers, and `other` elements among them. */
function rowsOf(table: Element, other?: string): Element[] {
  return elementsOf(table).flatMap((child) => {
    if (child.name === "table-row" || child.name === other) return [child];
    return /^table-(?:header-rows|rows|row-group)$/.test(child.name)
      ? rowsOf(child, other)
      : [];
  });
}

function times(element: Element, name: string, max: number): number {
  return Math.max(1, Math.min(max, Number(attributeOf(element, name)) || 1));
}

/**
 * Reads a table of a text. Spans cover the covered cells.
 * @returns `pagesOn`: for each row, how many pages after the first it begins; `pages`: how many
 * pages end in the table.
 */
export function readOdfTable(
  table: Element,
  readCell: (cell: Element) => Block[],
): { rows: Cell[][]; pagesOn: number[]; pages: number } {
  const rows: Cell[][] = [];
  const pagesOn: number[] = [];
  let pages = 0;
  for (const row of rowsOf(table, "soft-page-break")) {
    if (row.name === "soft-page-break") {
      pages += 1;
      continue;
    }
    pagesOn.push(pages);
    const cells = elementsOf(row, "table-cell");
    pages += Math.max(0, ...cells.map((cell) => findAll(cell, "soft-page-break").length));
    rows.push(cells.flatMap((cell) => repeatedCell(cell, readCell(cell))));
  }
  return { rows, pagesOn, pages };
}

function repeatedCell(element: Element, blocks: Block[]): Cell[] {
  const cell: Cell = {
    blocks,
    columns: times(element, "number-columns-spanned", MAX_REPEATED),
    rows: times(element, "number-rows-spanned", MAX_REPEATED),
  };
  const length = times(
    element,
    "number-columns-repeated",
    blocks.length === 0 ? 100 : MAX_REPEATED,
  );
  return Array.from({ length }, () => cell);
}

/**
 * Reads the cells of a sheet. Runs of equal empty cells, of which programs write millions, take no
 * time.
 */
export function readOdfGrid(sheet: Element, most: number): SheetGrid {
  const grid: SheetGrid = { rows: new Map(), merges: [], count: 0, cut: false };
  let row = 0;
  for (const element of rowsOf(sheet)) {
    const cells = new Map<number, string>();
    let column = 0;
    for (const cell of elementsOf(element)) {
      const repeated = times(cell, "number-columns-repeated", 20_000);
      const text = cell.name === "table-cell" ? cellText(cell) : "";
      if (text !== "") {
        for (let step = 0; step < Math.min(repeated, MAX_REPEATED); step += 1)
          cells.set(column + step, text);
        const right = times(cell, "number-columns-spanned", MAX_REPEATED);
        const down = times(cell, "number-rows-spanned", MAX_REPEATED);
        if (right > 1 || down > 1)
          grid.merges.push({
            top: row,
            left: column,
            bottom: row + down - 1,
            right: column + right - 1,
          });
      }
      column += repeated;
    }
    const repeated = times(element, "number-rows-repeated", 2_000_000);
    if (cells.size > 0) {
      for (let step = 0; step < Math.min(repeated, MAX_REPEATED); step += 1) {
        grid.rows.set(row + step, step === 0 ? cells : new Map(cells));
        grid.count += cells.size;
      }
    }
    row += repeated;
    if (grid.count > most) {
      grid.cut = true;
      break;
    }
  }
  return grid;
}

function cellText(cell: Element): string {
  const type = attributeOf(cell, "value-type");
  const date = attributeOf(cell, "date-value");
  if (type === "date" && date)
    return date.replace(/T00:00:00(?:\.0+)?$/, "").replace("T", " ");
  const value = attributeOf(cell, "value");
  const shown = findAll(cell, "p").map(textIn).join("\n").trim();
  if (type !== "float" || value === undefined || addsToDigits(shown)) return shown;
  const number = Number(value);
  if (!Number.isFinite(number)) return shown;
  return String(Number.isSafeInteger(number) ? number : Number(number.toPrecision(15)));
}

/** Whether a shown number says more than its value: leading zeros, units, an identifier. */
function addsToDigits(shown: string): boolean {
  if (/^-?[\d.,]+E[+-]?\d+$/i.test(shown)) return false;
  return /^-?0\d|\d-\d|\p{L}|\p{Sc}/u.test(shown);
}
