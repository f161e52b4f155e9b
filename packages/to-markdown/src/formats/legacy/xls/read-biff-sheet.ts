import { formatCell, type Formats } from "../../xlsx/format-value.ts";
import type { SheetGrid } from "../../xlsx/grid-blocks.ts";
import type { BiffRecord } from "./biff-records.ts";
import { longString } from "./biff-strings.ts";

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
export function readBiffSheet(
  records: Iterable<BiffRecord>,
  book: Book,
  most: number,
): SheetGrid {
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
