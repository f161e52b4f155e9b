import { type Block, paragraph } from "../blocks.ts";
import { openCompound } from "../compound/open-compound.ts";
import type { FileContent, ReadOptions } from "../finish-file.ts";
import { damaged, encrypted } from "../refuse-file.ts";
import { type PptRecord, pptRecordAt, pptRecordsIn } from "./ppt-records.ts";

const USER_EDIT = 0x0ff5;
const PERSIST_DIRECTORY = 0x1772;
const SLIDE_LIST = 0x0ff0;
const SLIDE_PERSIST = 0x03f3;
const TEXT_HEADER = 0x0f9f;
const TEXT_CHARACTERS = 0x0fa0;
const TEXT_BYTES = 0x0fa8;
const OUTLINE_REFERENCE = 0x0f9e;
const TEXT_BOX = 0xf00d;
const ENCRYPTED_TOKEN = 0xf3d1c4df;
const MAX_EDITS = 10_000;
const MAX_SLIDES = 5_000;

interface Text {
  /** 0 and 6 are titles; 1, 7 and 8 bodies of lists. Source: [MS-PPT] 2.13.33. */
  kind: number;
  text: string;
}

/**
 * PowerPoint's presentations of 1997 to 2003, a slide a page: titles and texts. Source: [MS-PPT].
 * @throws BadRequest `file_damaged`, `file_encrypted`.
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
  return { blocks, warnings: [] };
}

/** Where things lie, the newest edit before the older ones. */
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

/** The texts of a slide's boxes; some stand in the outline of the presentation. */
function slideBlocks(slide: PptRecord | undefined, outline: readonly Text[]): Block[] {
  const left = new Set(outline);
  const shown = pptRecordsIn(slide, TEXT_BOX).flatMap(({ children }) => {
    const reference = children.find(({ type }) => type === OUTLINE_REFERENCE);
    const referred =
      reference && reference.data.length >= 4
        ? outline[reference.data.readUInt32LE(0)]
        : undefined;
    if (referred) left.delete(referred);
    return referred ? [referred] : textsOf(children);
  });
  const texts = [...left, ...shown];
  const title = texts.find(
    ({ kind, text }) => (kind === 0 || kind === 6) && text.trim() !== "",
  );
  return [...(title ? [title] : []), ...texts.filter((text) => text !== title)].flatMap(
    (text) => textBlocks(text, text === title),
  );
}

function textBlocks({ kind, text }: Text, title: boolean): Block[] {
  const lines = text
    .split("\r")
    .map((line) => line.replaceAll("\v", "\n").trim())
    .filter((line) => line !== "" && line !== "*");
  if (title) return [{ kind: "heading", level: 1, runs: [{ text: lines.join(" ") }] }];
  const listed = (kind === 1 || kind === 7 || kind === 8) && lines.length > 1;
  return lines.map((line) =>
    paragraph([{ text: line }], listed ? { depth: 1, marker: "-" } : {}),
  );
}
