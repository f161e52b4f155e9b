import { formatValue, type Formats } from "../xlsx/format-value.ts";
import type { SheetGrid } from "../xlsx/grid-blocks.ts";
import type { BiffRecord } from "./biff-records.ts";
import { longString } from "./biff-strings.ts";

interface Book {
  /** Since Excel 97. */
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

/** The cells of a sheet. Source: [MS-XLS] 2.4. */
export function readBiffSheet(
  records: Iterable<BiffRecord>,
  book: Book,
  most: number,
): SheetGrid {
  const grid: SheetGrid = { rows: new Map(), merges: [], count: 0, cut: false };
  /** The formula whose text comes in the record after it. */
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
  const number = (value: number, style: number) =>
    formatValue(value, book.formats.kindOf(style), book.formats.date1904);
  for (const { type, data } of records) {
    if (grid.cut) break;
    const cell =
      data.length >= 6
        ? {
            row: data.readUInt16LE(0),
            column: data.readUInt16LE(2),
            style: data.readUInt16LE(4),
          }
        : undefined;
    if (type === 0x207 && awaited) {
      put(awaited.row, awaited.column, longString(data, 0, book.wide, book.codePage));
      awaited = undefined;
    } else if (type === 0xe5) readMerges(data, grid);
    else if (cell) {
      const { row, column, style } = cell;
      if (type === 0xfd && data.length >= 10)
        put(row, column, book.strings[data.readUInt32LE(6)] ?? "");
      else if (type === 0x203 && data.length >= 14)
        put(row, column, number(data.readDoubleLE(6), style));
      else if (type === 0x27e && data.length >= 10)
        put(row, column, number(fromRk(data.readInt32LE(6)), style));
      else if (type === 0x204 || type === 0xd6)
        put(row, column, longString(data, 6, book.wide, book.codePage));
      else if (type === 0x205 && data.length >= 8)
        put(
          row,
          column,
          data[7] === 1
            ? (ERRORS[data[6] ?? 0] ?? "#ERROR")
            : data[6] === 1
              ? "TRUE"
              : "FALSE",
        );
      else if (type === 0xbd) {
        for (let at = 4, step = 0; at + 8 <= data.length; at += 6, step += 1)
          put(
            row,
            column + step,
            number(fromRk(data.readInt32LE(at + 2)), data.readUInt16LE(at)),
          );
      } else if ((type === 0x06 || type === 0x206 || type === 0x406) && data.length >= 14) {
        if (data.readUInt16LE(12) !== 0xffff)
          put(row, column, number(data.readDoubleLE(6), style));
        else if (data[6] === 0) awaited = { row, column };
        else if (data[6] === 1) put(row, column, data[8] === 1 ? "TRUE" : "FALSE");
        else if (data[6] === 2) put(row, column, ERRORS[data[8] ?? 0] ?? "#ERROR");
      }
    }
  }
  return grid;
}

/**
 * A number in four bytes: a whole one or the upper half of a double, perhaps a hundred times too
 * large. Source: [MS-XLS] 2.5.217.
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
