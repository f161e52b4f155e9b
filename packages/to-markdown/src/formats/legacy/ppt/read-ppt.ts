import type { Block, Table } from "../../blocks.ts";
import { openCompound } from "../compound/open-compound.ts";
import type { FileContent, ReadOptions } from "../../finish-file.ts";
import { damaged, encrypted } from "../../refuse-file.ts";
import { type PptRecord, pptRecordAt, pptRecordsIn } from "./ppt-records.ts";
import { readPptTable } from "./ppt-table.ts";
import { type Text, TEXT_BOX, textBlocks, textsOf } from "./ppt-text.ts";

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
