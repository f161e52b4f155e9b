import { decodePage } from "../rtf/code-pages.ts";
import { damaged, encrypted } from "../../refuse-file.ts";

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

/** The places of the parts of a document. Source: [MS-DOC] 2.5. */
export interface Fib {
  /** The number of characters of the text itself; the footnotes follow it. */
  textLength: number;
  noteLength: number;
  headerLength: number;
  /** The stream with the tables; undefined before Word 97, which stored the text in one piece. */
  table: "0Table" | "1Table" | undefined;
  textStart: number;
  textEnd: number;
  /** The offset and length of a table, by its number. */
  place(index: number): { offset: number; length: number };
}

export function readFib(stream: Buffer): Fib {
  if (stream.length < 0x200) throw damaged(new Error("no header"));
  const magic = stream.readUInt16LE(0);
  if (magic !== 0xa5ec && magic !== 0xa5dc) throw damaged(new Error("not a Word document"));
  const flags = stream.readUInt16LE(10);
  if (flags & 0x0100) throw encrypted();
  const recent = stream.readUInt16LE(2) >= 0xc1;
  return {
    textLength: stream.readUInt32LE(recent ? 0x4c : 0x34),
    noteLength: stream.readUInt32LE(recent ? 0x50 : 0x38),
    headerLength: stream.readUInt32LE(recent ? 0x54 : 0x3c),
    table: recent ? (flags & 0x0200 ? "1Table" : "0Table") : undefined,
    textStart: stream.readUInt32LE(0x18),
    textEnd: stream.readUInt32LE(0x1c),
    place(index) {
      const at = 0x9a + index * 8;
      return at + 8 <= stream.length
        ? { offset: stream.readUInt32LE(at), length: stream.readUInt32LE(at + 4) }
        : { offset: 0, length: 0 };
    },
  };
}
