import { damaged, encrypted } from "../../refuse-file.ts";

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
