import { decodePage } from "../rtf/code-pages.ts";
import type { Fib } from "./read-fib.ts";

/**
 * A piece of text with its position in the file. The tables of formatting refer to these positions.
 */
export interface Piece {
  text: string;
  offset: number;
  /** Bytes per character. */
  width: 1 | 2;
}

const CLX = 33;
const MAX_CHARACTERS = 30_000_000;

/** Reads the text of a document in pieces. Source: [MS-DOC] 2.4.1, 2.8.35, 2.9.177. */
export function readPieces(stream: Buffer, table: Buffer | undefined, fib: Fib): Piece[] {
  if (!table)
    return [
      {
        text: western(stream.subarray(fib.textStart, Math.max(fib.textStart, fib.textEnd))),
        offset: fib.textStart,
        width: 1,
      },
    ];
  const { offset, length } = fib.place(CLX);
  const clx = table.subarray(offset, offset + length);
  let at = 0;
  // formatting that pieces share precedes the table of pieces
  while (clx[at] === 1 && at + 3 <= clx.length) at += 3 + clx.readUInt16LE(at + 1);
  if (clx[at] !== 2) return [];
  const plc = clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1));
  const count = Math.floor((plc.length - 4) / 12);
  const pieces: Piece[] = [];
  let total = 0;
  for (let index = 0; index < count && total < MAX_CHARACTERS; index += 1) {
    const characters = plc.readUInt32LE(index * 4 + 4) - plc.readUInt32LE(index * 4);
    const place = plc.readUInt32LE((count + 1) * 4 + index * 8 + 2);
    if (characters <= 0 || characters > MAX_CHARACTERS) continue;
    const narrow = (place & 0x4000_0000) !== 0;
    const start = narrow ? (place & 0x3fff_ffff) / 2 : place & 0x3fff_ffff;
    const bytes = stream.subarray(start, start + characters * (narrow ? 1 : 2));
    const text = narrow ? western(bytes) : bytes.toString("utf16le");
    total += text.length;
    pieces.push({ text, offset: start, width: narrow ? 1 : 2 });
  }
  return pieces;
}

function western(bytes: Buffer): string {
  // Latin-1 would decode printable characters as control characters, which have a meaning here
  return decodePage([...bytes.subarray(0, MAX_CHARACTERS)], "windows-1252");
}
