import type { Cell, Table } from "../../blocks.ts";
import { type PptRecord, pptRecordsIn } from "./ppt-records.ts";
import { TEXT_BOX, textBlocks, textsOf } from "./ppt-text.ts";

const GROUP = 0xf003;
const SHAPE = 0xf004;
const SHAPE_TYPE = 0xf00a;
const CHILD_ANCHOR = 0xf00f;
const MORE_PROPERTIES = 0xf122;
/** The lowest bit of this property says whether a group is a table. Source: [MS-ODRAW] 2.3.4.37. */
const TABLE_PROPERTIES = 0x039f;
const PROPERTY_BYTES = 6;
/** The type of the shapes that draw borders. Source: [MS-ODRAW] 2.4.24. */
const LINE = 20;
/** Closer edges count as one: an eightieth of an inch. */
const MIN_EDGE_DISTANCE = 8;
const MAX_CELLS = 10_000;

interface CellShape {
  left: number;
  top: number;
  right: number;
  bottom: number;
  shape: PptRecord;
}

/**
 * Reads a table of a slide: a group with one shape for each cell, whose position gives its row and
 * column. Undefined for a group that is no table.
 */
export function readPptTable(group: PptRecord): Table | undefined {
  if (group.type !== GROUP) return undefined;
  const [whole, ...shapes] = group.children.filter(({ type }) => type === SHAPE);
  if (!whole || !isTable(whole)) return undefined;
  const cells = shapes.flatMap((shape) => cellShape(shape) ?? []).slice(0, MAX_CELLS);
  if (cells.length === 0) return undefined;
  const lefts = edges(cells.map(({ left }) => left));
  const rows = edges(cells.map(({ top }) => top)).map((top, at, tops) => {
    const next = tops[at + 1] ?? Infinity;
    return cells
      .filter((cell) => startsAt(cell.top, top, next))
      .toSorted((one, other) => one.left - other.left)
      .map((cell) => toCell(cell, lefts, tops));
  });
  return { kind: "table", rows, depth: 0, quote: 0 };
}

function isTable(shape: PptRecord): boolean {
  return shape.children
    .filter(({ type }) => type === MORE_PROPERTIES)
    .some(({ instance, data }) => {
      const end = Math.min(data.length, instance * PROPERTY_BYTES);
      for (let at = 0; at + PROPERTY_BYTES <= end; at += PROPERTY_BYTES)
        if (data.readUInt16LE(at) === TABLE_PROPERTIES)
          return (data.readUInt32LE(at + 2) & 1) === 1;
      return false;
    });
}

function cellShape(shape: PptRecord): CellShape | undefined {
  const anchor = shape.children.find(({ type }) => type === CHILD_ANCHOR)?.data;
  const kind = shape.children.find(({ type }) => type === SHAPE_TYPE)?.instance;
  if (!anchor || anchor.length < 16 || kind === LINE) return undefined;
  return {
    left: anchor.readInt32LE(0),
    top: anchor.readInt32LE(4),
    right: anchor.readInt32LE(8),
    bottom: anchor.readInt32LE(12),
    shape,
  };
}

/** The positions where columns or rows begin. */
function edges(places: readonly number[]): number[] {
  const found: number[] = [];
  for (const place of places.toSorted((one, other) => one - other))
    if (place - (found.at(-1) ?? -Infinity) >= MIN_EDGE_DISTANCE) found.push(place);
  return found;
}

function startsAt(place: number, edge: number, next: number): boolean {
  return place >= edge && place < next;
}

function toCell(cell: CellShape, lefts: readonly number[], tops: readonly number[]): Cell {
  const texts = pptRecordsIn(cell.shape, TEXT_BOX).flatMap(({ children }) =>
    textsOf(children),
  );
  return {
    blocks: texts.flatMap((text) => textBlocks(text, false)),
    columns: countWithin(lefts, cell.left, cell.right),
    rows: countWithin(tops, cell.top, cell.bottom),
  };
}

/** The number of columns or rows that a cell spans. */
function countWithin(starts: readonly number[], from: number, to: number): number {
  const end = to - MIN_EDGE_DISTANCE;
  return Math.max(1, starts.filter((start) => start > from && start <= end).length + 1);
}
