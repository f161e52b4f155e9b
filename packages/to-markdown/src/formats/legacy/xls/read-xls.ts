import type { Block } from "../../blocks.ts";
import { openCompound } from "../compound/open-compound.ts";
import type { FileContent, ReadOptions } from "../../finish-file.ts";
import { damaged, encrypted } from "../../refuse-file.ts";
import { gridBlocks } from "../../xlsx/grid-blocks.ts";
import { type BiffRecord, biffRecords } from "./biff-records.ts";
import { readBiffStrings, shortString, longString } from "./biff-strings.ts";
import { readBiffSheet } from "./read-biff-sheet.ts";
import {
  builtInKind,
  type Formats,
  kindOfCode,
  type NumberKind,
} from "../../xlsx/format-value.ts";

const MAX_CELLS = 500_000;
const FILEPASS = 0x2f;
const BOUNDSHEET = 0x85;
const SST = 0xfc;
const BOF = 0x809;
const CODEPAGE = 0x42;

/**
 * Reads Excel workbooks of 1993 to 2003, one sheet per page. Source: [MS-XLS].
 * @throws FileError `file_damaged`, `file_encrypted`.
 */
export async function readXls(
  bytes: Uint8Array,
  { signal }: ReadOptions,
): Promise<FileContent> {
  const file = openCompound(bytes);
  const stream = file.stream("Workbook") ?? file.stream("Book");
  if (!stream) throw damaged(new Error("no workbook stream"));
  const globals: BiffRecord[] = [];
  for (const record of biffRecords(stream, 0)) {
    if (record.type === FILEPASS) throw encrypted();
    globals.push(record);
  }
  if (!globals.some(({ type }) => type === BOUNDSHEET))
    throw damaged(new Error("no sheets"));
  const version = globals.find(({ type }) => type === BOF)?.data.readUInt16LE(0) ?? 0x600;
  const codePage =
    globals.find(({ type }) => type === CODEPAGE)?.data.readUInt16LE(0) ?? 1252;
  const book = {
    wide: version >= 0x600,
    codePage,
    strings: readBiffStrings(globals.filter(({ type }) => type === SST)),
    formats: biffFormats(globals, version >= 0x600, codePage),
  };
  const warnings: string[] = [];
  const blocks: Block[] = [];
  let cells = 0;
  for (const { data } of globals.filter(({ type }) => type === BOUNDSHEET)) {
    signal?.throwIfAborted();
    const name = shortString(data, 6, book.wide, codePage);
    if ((data[4] ?? 0) & 3) {
      warnings.push(`The sheet "${name}" is hidden and was left out.`);
      continue;
    }
    // macro and chart sheets have no cells
    if ((data[5] ?? 0) !== 0) continue;
    const grid = readBiffSheet(
      biffRecords(stream, data.readUInt32LE(0)),
      book,
      MAX_CELLS - cells,
    );
    if (grid.cut)
      warnings.push(
        `The sheet "${name}" was cut: only ${MAX_CELLS} cells of a file are read.`,
      );
    cells += grid.count;
    if (blocks.length > 0) blocks.push({ kind: "page" });
    blocks.push({ kind: "heading", level: 2, runs: [{ text: name }] }, ...gridBlocks(grid));
  }
  return { blocks, layout: "sheets", warnings };
}

const XF = 0xe0;
const FORMAT = 0x41e;
const DATEMODE = 0x22;

/** The kinds of numbers by the formats of cells. Source: [MS-XLS] 2.4.126, 2.4.353. */
function biffFormats(
  globals: readonly BiffRecord[],
  wide: boolean,
  codePage: number,
): Formats {
  const codes = new Map<number, string>();
  const kinds: NumberKind[] = [];
  const codesOf: (string | undefined)[] = [];
  let date1904 = false;
  for (const { type, data } of globals) {
    if (type === FORMAT && data.length > 3)
      codes.set(
        data.readUInt16LE(0),
        wide ? longString(data, 2, true, codePage) : shortString(data, 2, false, codePage),
      );
    else if (type === DATEMODE && data.length >= 2) date1904 = data.readUInt16LE(0) === 1;
    else if (type === XF && data.length >= 4) {
      const format = data.readUInt16LE(2);
      const code = codes.get(format);
      codesOf.push(code);
      kinds.push(builtInKind(format) ?? (code === undefined ? "number" : kindOfCode(code)));
    }
  }
  return {
    kindOf: (style) => kinds[style] ?? "number",
    codeOf: (style) => codesOf[style],
    date1904,
  };
}
