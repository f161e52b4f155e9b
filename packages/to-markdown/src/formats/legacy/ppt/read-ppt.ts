import {
  type Block,
  type Table,
  type Cell,
  type Paragraph,
  paragraph,
} from "../../blocks.ts";
import { openCompound } from "../compound/open-compound.ts";
import type { FileContent, ReadOptions } from "../../finish-file.ts";
import { damaged, encrypted } from "../../refuse-file.ts";
import { type PptRecord, pptRecordAt, pptRecordsIn } from "./ppt-records.ts";
const USER_EDIT = 0x0ff5;
const PERSIST_DIRECTORY = 0x1772;
const SLIDE_LIST = 0x0ff0;
const SLIDE_PERSIST = 0x03f3;
const OUTLINE_REFERENCE = 0x0f9e;
const ENCRYPTED_TOKEN = 0xf3d1c4df;
const MAX_EDITS = 10_000;
const MAX_SLIDES = 5_000;

/**
 * Reads PowerPoint presentations of 1997 to 2003, one slide per page: titles, texts and tables.
 * Source: [MS-PPT].
 * @throws FileError `file_damaged`, `file_encrypted`.
 */
export async function readPpt(
  bytes: Uint8Array,
  { signal }: ReadOptions,
): Promise<FileContent> {
  const file = openCompound(bytes);
  const stream = file.stream("PowerPoint Document");
  const user = file.stream("Current User");
  if (!stream || !user || user.length < 20) throw damaged(new Error("no presentation"));
  if (user.readUInt32LE(12) === ENCRYPTED_TOKEN) throw encrypted();
  const { places, document } = readPlaces(stream, user.readUInt32LE(16));
  const root = pptRecordAt(stream, places.get(document) ?? stream.length);
  const list = pptRecordsIn(root, SLIDE_LIST).find(({ instance }) => instance === 0);
  if (!root) throw damaged(new Error("no document"));
  const blocks: Block[] = [];
  for (const [index, { persist, outline }] of slidesOf(list)
    .slice(0, MAX_SLIDES)
    .entries()) {
    signal?.throwIfAborted();
    if (index > 0) blocks.push({ kind: "page" });
    const place = places.get(persist);
    for (const block of slideBlocks(
      place === undefined ? undefined : pptRecordAt(stream, place),
      outline,
    ))
      blocks.push(block);
  }
  return { blocks, layout: "slides", warnings: [] };
}

/** Reads the offsets of objects, from the newest edit to the oldest. */
function readPlaces(
  stream: Buffer,
  newest: number,
): { places: Map<number, number>; document: number } {
  const places = new Map<number, number>();
  const seen = new Set<number>();
  let document: number | undefined;
  for (let at = newest; at > 0 && !seen.has(at) && seen.size < MAX_EDITS;) {
    seen.add(at);
    const edit = pptRecordAt(stream, at);
    if (edit?.type !== USER_EDIT || edit.data.length < 20) break;
    document ??= edit.data.readUInt32LE(16);
    const directory = pptRecordAt(stream, edit.data.readUInt32LE(12));
    if (directory?.type === PERSIST_DIRECTORY) readDirectory(directory.data, places);
    at = edit.data.readUInt32LE(8);
  }
  return { places, document: document ?? 0 };
}

function readDirectory(data: Buffer, places: Map<number, number>): void {
  for (let at = 0; at + 4 <= data.length;) {
    const entry = data.readUInt32LE(at);
    const count = entry >>> 20;
    at += 4;
    for (let step = 0; step < count && at + 4 <= data.length; step += 1, at += 4) {
      const id = (entry & 0xf_ffff) + step;
      if (!places.has(id)) places.set(id, data.readUInt32LE(at));
    }
  }
}

function slidesOf(list: PptRecord | undefined): { persist: number; outline: Text[] }[] {
  const slides: { persist: number; outline: Text[] }[] = [];
  let records: PptRecord[] = [];
  const end = () => {
    const last = slides.at(-1);
    if (last) last.outline = textsOf(records);
    records = [];
  };
  for (const record of list?.children ?? []) {
    if (record.type === SLIDE_PERSIST && record.data.length >= 4) {
      end();
      slides.push({ persist: record.data.readUInt32LE(0), outline: [] });
    } else records.push(record);
  }
  end();
  return slides;
}

/** The texts and tables of a slide. Some texts are in the outline of the presentation. */
function slideBlocks(slide: PptRecord | undefined, outline: readonly Text[]): Block[] {
  const left = new Set(outline);
  const shown = contentsIn(slide).flatMap((content): (Table | Text)[] => {
    if (content.kind === "table") return [content];
    const reference = content.children.find(({ type }) => type === OUTLINE_REFERENCE);
    const referred =
      reference && reference.data.length >= 4
        ? outline[reference.data.readUInt32LE(0)]
        : undefined;
    if (referred) left.delete(referred);
    return referred ? [referred] : textsOf(content.children);
  });
  const contents: (Table | Text)[] = [...left, ...shown];
  const title = contents.find(
    (one) => isText(one) && (one.kind === 0 || one.kind === 6) && one.text.trim() !== "",
  );
  const rest = contents.filter((one) => one !== title);
  return [...(title ? [title] : []), ...rest].flatMap((one) =>
    isText(one) ? textBlocks(one, one === title) : [one],
  );
}

function isText(content: Text | Table): content is Text {
  return content.kind !== "table";
}

type Content = Table | { kind: "text"; children: PptRecord[] };

/** The text boxes and tables of a slide, in order. */
function contentsIn(record: PptRecord | undefined, found: Content[] = []): Content[] {
  for (const child of record?.children ?? []) {
    const table = readPptTable(child);
    if (table) found.push(table);
    else if (child.type === TEXT_BOX)
      found.push({ kind: "text", children: child.children });
    else contentsIn(child, found);
  }
  return found;
}

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
function readPptTable(group: PptRecord): Table | undefined {
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

const TEXT_BOX = 0xf00d;
const TEXT_HEADER = 0x0f9f;
const TEXT_CHARACTERS = 0x0fa0;
const TEXT_BYTES = 0x0fa8;

interface Text {
  /** 0 and 6 are titles; 1, 7 and 8 are bodies of lists. Source: [MS-PPT] 2.13.33. */
  kind: number;
  text: string;
}

/** The texts in the records of a text box, or of a slide in the outline. */
function textsOf(records: readonly PptRecord[]): Text[] {
  const texts: Text[] = [];
  for (const { type, data } of records) {
    const last = texts.at(-1);
    if (type === TEXT_HEADER)
      texts.push({ kind: data.length >= 4 ? data.readUInt32LE(0) : 4, text: "" });
    else if (type === TEXT_CHARACTERS && last) last.text += data.toString("utf16le");
    else if (type === TEXT_BYTES && last) last.text += data.toString("latin1");
  }
  return texts;
}

function textBlocks({ kind, text }: Text, title: boolean): Block[] {
  const lines = text
    .split("\r")
    .map((line) => line.replaceAll("\v", "\n").trim())
    .filter((line) => line !== "" && line !== "*");
  if (title) return [{ kind: "heading", level: 1, runs: [{ text: lines.join(" ") }] }];
  const listed = (kind === 1 || kind === 7 || kind === 8) && lines.length > 1;
  const item: Partial<Paragraph> = listed ? { depth: 1, marker: "-" } : {};
  return lines.map((line) => paragraph([{ text: line }], item));
}
