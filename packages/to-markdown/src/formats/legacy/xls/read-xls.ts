import type { Block } from "../../blocks.ts";
import { openCompound } from "../compound/open-compound.ts";
import type { FileContent, ReadOptions } from "../../finish-file.ts";
import { damaged, encrypted } from "../../refuse-file.ts";
import { gridBlocks, type SheetGrid } from "../../xlsx/grid-blocks.ts";
import {
  readBiffStrings,
  shortString,
  longString,
  type BiffRecord,
  biffRecords,
} from "./biff-strings.ts";
import {
  builtInKind,
  type Formats,
  kindOfCode,
  type NumberKind,
  formatCell,
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

interface Book {
  /** True since Excel 97. */
  wide: boolean;
  codePage: number;
  strings: readonly string[];
  formats: Formats;
}

const ERRORS: Record<number, string> = {
  0: "#NULL!",
  7: "#DIV/0!",
  15: "#VALUE!",
  23: "#REF!",
  29: "#NAME?",
  36: "#NUM!",
  42: "#N/A",
};

/** Types of records that contain cells. Source: [MS-XLS] 2.3.2. */
const SHARED_TEXT = 0xfd;
const NUMBER = 0x203;
const SHORT_NUMBER = 0x27e;
const SHORT_NUMBERS = 0xbd;
const BOOLEAN_OR_ERROR = 0x205;
const TEXTS = new Set([0x204, 0xd6]);
const FORMULAS = new Set([0x06, 0x206, 0x406]);
const TEXT_OF_FORMULA = 0x207;
const MERGED_CELLS = 0xe5;

/** Reads the cells of a sheet. Source: [MS-XLS] 2.4. */
function readBiffSheet(records: Iterable<BiffRecord>, book: Book, most: number): SheetGrid {
  const grid: SheetGrid = { rows: new Map(), merges: [], count: 0, cut: false };
  /** The formula whose text is in the next record */
  let awaited: { row: number; column: number } | undefined;
  const put = (row: number, column: number, text: string) => {
    if (text.trim() === "") return;
    if (grid.count >= most) {
      grid.cut = true;
      return;
    }
    const cells = grid.rows.get(row) ?? new Map<number, string>();
    cells.set(column, text);
    grid.rows.set(row, cells);
    grid.count += 1;
  };
  for (const { type, data } of records) {
    if (grid.cut) break;
    if (type === TEXT_OF_FORMULA && awaited) {
      put(awaited.row, awaited.column, longString(data, 0, book.wide, book.codePage));
      awaited = undefined;
    } else if (type === MERGED_CELLS) readMerges(data, grid);
    else if (data.length >= 6) {
      const row = data.readUInt16LE(0);
      const column = data.readUInt16LE(2);
      if (type === SHORT_NUMBERS)
        for (let at = 4, step = 0; at + 8 <= data.length; at += 6, step += 1)
          put(row, column + step, shortNumber(data, at + 2, data.readUInt16LE(at), book));
      else if (FORMULAS.has(type) && hasTextAfter(data)) awaited = { row, column };
      else put(row, column, cellText(type, data, book));
    }
  }
  return grid;
}

/** @returns "" for a record without a cell, or with too little data. */
function cellText(type: number, data: Buffer, book: Book): string {
  const { length } = data;
  const style = data.readUInt16LE(4);
  if (type === SHARED_TEXT && length >= 10) return book.strings[data.readUInt32LE(6)] ?? "";
  if (type === NUMBER && length >= 14) return toText(data.readDoubleLE(6), style, book);
  if (type === SHORT_NUMBER && length >= 10) return shortNumber(data, 6, style, book);
  if (TEXTS.has(type)) return longString(data, 6, book.wide, book.codePage);
  if (type === BOOLEAN_OR_ERROR && length >= 8)
    return data[7] === 1 ? errorText(data[6]) : booleanText(data[6]);
  if (FORMULAS.has(type) && length >= 14) return formulaText(data, style, book);
  return "";
}

/** The result of a formula that is not text. Source: [MS-XLS] 2.5.133. */
function formulaText(data: Buffer, style: number, book: Book): string {
  if (isNumber(data)) return toText(data.readDoubleLE(6), style, book);
  if (data[6] === 1) return booleanText(data[8]);
  return data[6] === 2 ? errorText(data[8]) : "";
}

function hasTextAfter(formula: Buffer): boolean {
  return formula.length >= 14 && !isNumber(formula) && formula[6] === 0;
}

function isNumber(formula: Buffer): boolean {
  return formula.readUInt16LE(12) !== 0xffff;
}

function booleanText(value: number | undefined): string {
  return value === 1 ? "TRUE" : "FALSE";
}

function errorText(code = 0): string {
  return ERRORS[code] ?? "#ERROR";
}

function shortNumber(data: Buffer, at: number, style: number, book: Book): string {
  return toText(fromRk(data.readInt32LE(at)), style, book);
}

function toText(value: number, style: number, { formats }: Book): string {
  return formatCell(value, style, formats);
}

/**
 * Decodes a number in four bytes: an integer or the upper half of a double, possibly times 100.
 * Source: [MS-XLS] 2.5.217.
 */
function fromRk(value: number): number {
  let result: number;
  if (value & 2) result = value >> 2;
  else {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32LE(value & ~3, 4);
    result = bytes.readDoubleLE(0);
  }
  return value & 1 ? result / 100 : result;
}

function readMerges(data: Buffer, grid: SheetGrid): void {
  for (let at = 2; at + 8 <= data.length && grid.merges.length < 100_000; at += 8) {
    grid.merges.push({
      top: data.readUInt16LE(at),
      bottom: data.readUInt16LE(at + 2),
      left: data.readUInt16LE(at + 4),
      right: data.readUInt16LE(at + 6),
    });
  }
}
