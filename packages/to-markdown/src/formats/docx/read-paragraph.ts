import { paragraph, type Run, textOf } from "../blocks.ts";
import { isLayout } from "../lay-out-table.ts";
import { type Element, attributeOf, childOf } from "../xml-tree.ts";
import { blocksIn } from "./blocks-in.ts";
import { type Line, type Piece, readRuns } from "./read-runs.ts";
import type { Style } from "./read-styles.ts";
import { readTableRows } from "./read-table.ts";
import { type DocxReading, runSourceOf } from "./reading.ts";

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
