import { paragraph, type Run, textOf, type Cell } from "../blocks.ts";
import { isLayout } from "../lay-out-table.ts";
import { type Element, attributeOf, childOf, isElement } from "../xml-tree.ts";
import { type Line, type Piece, readRuns, flat } from "./read-runs.ts";
import type { Style } from "./read-styles.ts";
import { type DocxReading, runSourceOf, blocksIn } from "./reading.ts";

export interface Paragraph {
  line: Line;
  /** The boxes, charts and diagrams attached to it. */
  attached: Piece[];
  properties: Element | undefined;
  /** Converts some of its runs to a heading, list item, listing or text. */
  make(runs: Run[]): Piece;
}

/** The content of a cell or box, and the number of page breaks in it. */
export interface Inner {
  pieces: Piece[];
  breaks: number;
  /** Whether it begins with a page break. */
  starts: boolean;
}

export function readParagraph(reading: DocxReading, element: Element): Paragraph {
  const { parts } = reading;
  const properties = childOf(element, "pPr");
  const style = parts.styles.get(attributeOf(childOf(properties, "pStyle"), "val") ?? "");
  const attached: Piece[] = [];
  const source = runSourceOf(reading, (kind, drawing) => {
    if (kind === "box") attached.push(readInner(reading, blocksIn(drawing)).pieces);
    else {
      const into: Piece[] = [];
      attached.push(into);
      parts.later.push({ kind, element: drawing, into });
    }
  });
  // bold or italics of the whole paragraph's style are not emphasis
  const line = readRuns(element, source, { hidden: style?.hidden, font: style?.font });
  const marker = markerOf(reading, properties, style);
  const heading = headingOf(properties, style);
  return {
    line,
    attached,
    properties,
    make: (runs) => toPiece(runs, style, marker, heading),
  };
}

/** Reads a table, or the content of a table that only arranges the page. */
export function readTable(reading: DocxReading, element: Element): Inner {
  const { rows, breaks, starts, pagesOn } = readTableRows(element, (inner) =>
    readInner(reading, inner),
  );
  const goesOn = pagesOn.some((pages) => pages > 0);
  const pieces: Piece[] = isLayout(rows)
    ? rows.flatMap((row) => row.flatMap(({ blocks }) => blocks))
    : [{ kind: "table", rows, depth: 0, quote: 0, ...(goesOn && { pagesOn }) }];
  return { pieces, breaks, starts };
}

export function hasContent(runs: readonly Run[]): boolean {
  return runs.some(({ text, image }) => image !== undefined || text.trim() !== "");
}

/** Reads the paragraphs of a cell or a box, in which pages do not break. */
function readInner(reading: DocxReading, elements: readonly Element[]): Inner {
  const inner: Inner = { pieces: [], breaks: 0, starts: false };
  for (const element of elements) {
    if (element.name === "tbl") {
      const table = readTable(reading, element);
      inner.pieces.push(...table.pieces);
      inner.breaks += table.breaks;
      continue;
    }
    const { line, attached, make } = readParagraph(reading, element);
    if (inner.breaks === 0 && inner.pieces.length === 0 && line.breaks[0]?.at === 0)
      inner.starts = true;
    inner.breaks += line.breaks.length;
    if (hasContent(line.runs)) inner.pieces.push(make(line.runs));
    inner.pieces.push(...attached);
  }
  return inner;
}

type Marker = NonNullable<ReturnType<typeof markerOf>>;

function toPiece(
  runs: Run[],
  style: Style | undefined,
  marker: Marker | undefined,
  heading: number | undefined,
): Piece {
  const labelled = (label = "") => (label === "" ? runs : [{ text: `${label} ` }, ...runs]);
  if (heading !== undefined)
    return { kind: "heading", level: heading, runs: labelled(marker?.whole) };
  if (style?.code) return { kind: "code", text: textOf(runs), depth: 0, quote: 0 };
  if (!marker) return paragraph(runs, { quote: style?.quote ? 1 : 0 });
  return paragraph(labelled(marker.label), { depth: marker.depth, marker: marker.marker });
}

/**
 * The marker of a list item. It advances the counter of the list, so call it once per paragraph.
 */
function markerOf(
  { parts }: DocxReading,
  properties: Element | undefined,
  style: Style | undefined,
) {
  const numPr = childOf(properties, "numPr");
  const id = attributeOf(childOf(numPr, "numId"), "val") ?? style?.numbering?.id;
  if (id === undefined || id === "0") return undefined;
  const level = Number(
    attributeOf(childOf(numPr, "ilvl"), "val") ?? style?.numbering?.level ?? 0,
  );
  const depth = Number.isInteger(level) && level >= 0 && level < 9 ? level : 0;
  const next = parts.numbering.next(id, depth);
  return next && { ...next, depth: depth + 1 };
}

function headingOf(
  properties: Element | undefined,
  style: Style | undefined,
): number | undefined {
  const own = attributeOf(childOf(properties, "outlineLvl"), "val");
  if (own === undefined) return style?.heading;
  const level = Number(own);
  return level >= 0 && level < 9 ? level + 1 : undefined;
}

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
function readTableRows(
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
