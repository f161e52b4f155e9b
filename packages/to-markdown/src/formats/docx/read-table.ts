import type { Cell } from "../blocks.ts";
import { type Element, attributeOf, childOf, isElement } from "../xml-tree.ts";
import { blocksIn } from "./blocks-in.ts";
import { flat, type Piece } from "./read-runs.ts";

type ReadInner = (elements: readonly Element[]) => {
  pieces: Piece[];
  breaks: number;
  starts: boolean;
};

/**
 * Reads a table's rows, with merged cells as spans.
 * @returns `breaks`: the number of page breaks in it; `starts`: whether it begins with one;
 * `pagesOn`: for each row, how many pages after the first it begins.
 * Source: ECMA-376 part 1, 17.4.
 */
export function readTableRows(
  table: Element,
  readInner: ReadInner,
): { rows: Cell[][]; breaks: number; starts: boolean; pagesOn: number[] } {
  const rows: Cell[][] = [];
  const pagesOn: number[] = [];
  /** By column, the cell that the next row may continue */
  let open = new Map<number, Cell>();
  let breaks = 0;
  let starts = false;
  for (const row of inOrder(table, "tr")) {
    const cells: Cell[] = [];
    const next = new Map<number, Cell>();
    let column = numberOf(childOf(row, "trPr", "gridBefore"), 0);
    if (column > 0) cells.push({ blocks: [], columns: column, rows: 1 });
    let rowBreaks = 0;
    let isOnNext = false;
    for (const element of inOrder(row, "tc")) {
      const properties = childOf(element, "tcPr");
      const columns = numberOf(childOf(properties, "gridSpan"), 1);
      const merge = childOf(properties, "vMerge");
      const continuesAbove = merge && attributeOf(merge, "val") !== "restart";
      const above = open.get(column);
      const left =
        attributeOf(childOf(properties, "hMerge"), "val") === "continue"
          ? cells.at(-1)
          : undefined;
      if (continuesAbove && above) {
        above.rows += 1;
        next.set(column, above);
      } else if (left) left.columns += columns;
      else {
        const inner = readInner(blocksIn(element));
        rowBreaks = Math.max(rowBreaks, inner.breaks);
        isOnNext ||= inner.starts;
        if (rows.length === 0 && cells.length === 0 && inner.starts) starts = true;
        const cell = { blocks: flat(inner.pieces), columns, rows: 1 };
        cells.push(cell);
        if (merge) next.set(column, cell);
      }
      column += columns;
    }
    pagesOn.push(breaks + (isOnNext ? 1 : 0));
    breaks += rowBreaks;
    open = next;
    rows.push(cells);
  }
  // the page that a break at its start begins is the page of the table
  const first = starts ? 1 : 0;
  return { rows, breaks, starts, pagesOn: pagesOn.map((pages) => pages - first) };
}

/** The rows or cells of a table, including those in content controls. */
function inOrder(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => {
    if (!isElement(child)) return [];
    if (child.name === name) return [child];
    return /^(?:sdt|sdtContent|customXml|ins)$/.test(child.name)
      ? inOrder(child, name)
      : [];
  });
}

function numberOf(element: Element | undefined, otherwise: number): number {
  const value = Number(attributeOf(element, "val"));
  return Number.isInteger(value) && value > 0 ? Math.min(value, 1_000) : otherwise;
}
