import { openCompound } from "../compound/open-compound.ts";
import type { FileContent, ReadOptions } from "../../finish-file.ts";
import { damaged } from "../../refuse-file.ts";
import { docBlocks } from "./doc-blocks.ts";
import { readCharacters, readParagraphs } from "./read-formatting.ts";
import { readPieces, readFib, type Fib } from "./read-pieces.ts";

/**
 * Reads Word documents of 1995 to 2003. Source: [MS-DOC].
 * @throws FileError `file_damaged`, `file_encrypted`, `too_complex`.
 */
export async function readDoc(
  bytes: Uint8Array,
  _options: ReadOptions,
): Promise<FileContent> {
  const file = openCompound(bytes);
  const stream = file.stream("WordDocument");
  if (!stream) throw damaged(new Error("no WordDocument stream"));
  const fib = readFib(stream);
  const table =
    fib.table &&
    (file.stream(fib.table) ?? file.stream(fib.table === "1Table" ? "0Table" : "1Table"));
  if (fib.table && !table) throw damaged(new Error(`no stream ${fib.table}`));
  const blocks = docBlocks({
    pieces: readPieces(stream, table, fib),
    textLength: fib.textLength,
    noteLength: fib.noteLength,
    paragraphs: table ? readParagraphs(stream, table, fib) : [],
    characters: table ? readCharacters(stream, table, fib) : [],
    styleLevels: table ? readStyleLevels(table, fib) : new Map(),
    listKind: table ? readLists(table, fib) : () => "sign",
  });
  if (blocks.length === 0 && fib.textLength > 100)
    throw damaged(new Error("no text where text should be"));
  return { blocks, warnings: [] };
}

const STYLES = 1;
const TITLE = 62;
const NONE = 0xfff;

/** The heading levels of styles, of their own or inherited. Source: [MS-DOC] 2.9.260, 2.9.271. */
function readStyleLevels(table: Buffer, fib: Fib): Map<number, number> {
  const levels = new Map<number, number>();
  const bases = new Map<number, number>();
  const { offset, length } = fib.place(STYLES);
  const sheet = table.subarray(offset, offset + length);
  if (sheet.length < 6) return levels;
  const count = sheet.readUInt16LE(2);
  let at = 2 + sheet.readUInt16LE(0);
  for (let style = 0; style < count && at + 2 <= sheet.length; style += 1) {
    const size = sheet.readUInt16LE(at);
    if (size >= 4 && at + 6 <= sheet.length) {
      const known = sheet.readUInt16LE(at + 2) & 0xfff;
      if (known >= 1 && known <= 9) levels.set(style, known);
      else if (known === TITLE) levels.set(style, 1);
      else bases.set(style, sheet.readUInt16LE(at + 4) >> 4);
    }
    at += 2 + size + (size & 1);
  }
  for (const style of bases.keys()) {
    let base = style;
    for (let steps = 0; steps < 12 && base !== NONE && !levels.has(base); steps += 1)
      base = bases.get(base) ?? NONE;
    const level = levels.get(base);
    if (level !== undefined) levels.set(style, level);
  }
  // the first nine styles are the headings, whatever a program calls them
  for (let style = 1; style <= 9; style += 1)
    if (!levels.has(style)) levels.set(style, style);
  // the first nine are the headings, whatever a program calls them
  for (let style = 1; style <= 9; style += 1)
    if (!levels.has(style)) levels.set(style, style);
  return levels;
}

const LISTS = 73;
const OVERRIDES = 74;
const BULLET = 23;
const NO_NUMBER = 255;

/**
 * Whether a level of a list is numbered, by the list's number in the document; undefined when it
 * shows no marker. Source: [MS-DOC] 2.9.147, 2.9.131, 2.9.150.
 */
function readLists(
  table: Buffer,
  fib: Fib,
): (list: number, level: number) => "number" | "sign" | undefined {
  const formats = new Map<number, number[]>();
  const { offset, length } = fib.place(LISTS);
  const ids: { id: number; simple: boolean }[] = [];
  const count = length >= 2 && offset + 2 <= table.length ? table.readUInt16LE(offset) : 0;
  for (
    let index = 0;
    index < count && offset + 30 + index * 28 <= table.length;
    index += 1
  ) {
    const at = offset + 2 + index * 28;
    ids.push({ id: table.readInt32LE(at), simple: ((table[at + 26] ?? 0) & 1) === 1 });
  }
  // all levels follow after the lists
  let at = offset + 2 + count * 28;
  for (const { id, simple } of ids) {
    const levels: number[] = [];
    for (let level = 0; level < (simple ? 1 : 9) && at + 28 <= table.length; level += 1) {
      levels.push(table[at + 4] ?? 0);
      at += 28 + (table[at + 24] ?? 0) + (table[at + 25] ?? 0);
      if (at + 2 > table.length) break;
      at += 2 + table.readUInt16LE(at) * 2;
    }
    formats.set(id, levels);
  }
  const overrides = fib.place(OVERRIDES);
  const lists: number[] = [];
  const most =
    overrides.length >= 4 && overrides.offset + 4 <= table.length
      ? table.readUInt32LE(overrides.offset)
      : 0;
  for (
    let index = 0;
    index < most && overrides.offset + 8 + index * 16 <= table.length;
    index += 1
  )
    lists.push(table.readInt32LE(overrides.offset + 4 + index * 16));
  return (list, level) => {
    const format = formats.get(lists[list - 1] ?? 0)?.[level];
    if (format === NO_NUMBER) return undefined;
    return format === undefined || format === BULLET ? "sign" : "number";
  };
}
