import type { Fib } from "./read-pieces.ts";

/** A range of bytes of the file, with its formatting. */
export interface Stretch {
  from: number;
  to: number;
  /** The style of a paragraph. */
  style: number;
  properties: Map<number, number>;
}

const CHARACTERS = 12;
const PARAGRAPHS = 13;
const PAGE = 512;
const MAX_STRETCHES = 2_000_000;

/**
 * The size of an operand in bytes, by the three high bits of its property. For 6, the operand
 * states it. Source: [MS-DOC] 2.6.1.
 */
const OPERANDS = [1, 1, 2, 4, 2, 2, -1, 3];
const TABLE_DEFINITION = 0xd608;

export function readParagraphs(stream: Buffer, table: Buffer, fib: Fib): Stretch[] {
  return readStretches(stream, table, fib.place(PARAGRAPHS), 13, (page, at) => {
    const first = page[at] ?? 0;
    const start = first === 0 ? at + 2 : at + 1;
    const length = first === 0 ? (page[at + 1] ?? 0) * 2 : first * 2 - 1;
    return {
      style: page.length >= start + 2 ? page.readUInt16LE(start) : 0,
      properties: readProperties(page.subarray(start + 2, start + length)),
    };
  });
}

export function readCharacters(stream: Buffer, table: Buffer, fib: Fib): Stretch[] {
  return readStretches(stream, table, fib.place(CHARACTERS), 1, (page, at) => ({
    style: 0,
    properties: readProperties(page.subarray(at + 1, at + 1 + (page[at] ?? 0))),
  }));
}

/**
 * Reads the pages of 512 bytes that contain the formatting. Source: [MS-DOC] 2.8.25, 2.9.33,
 * 2.9.174.
 */
function readStretches(
  stream: Buffer,
  table: Buffer,
  { offset, length }: { offset: number; length: number },
  entry: number,
  read: (page: Buffer, at: number) => Pick<Stretch, "style" | "properties">,
): Stretch[] {
  const stretches: Stretch[] = [];
  const plc = table.subarray(offset, offset + length);
  const count = Math.floor((plc.length - 4) / 8);
  for (let index = 0; index < count && stretches.length < MAX_STRETCHES; index += 1) {
    const number = plc.readUInt32LE((count + 1) * 4 + index * 4) & 0x3f_ffff;
    const page = stream.subarray(number * PAGE, (number + 1) * PAGE);
    if (page.length < PAGE) continue;
    const runs = page[PAGE - 1] ?? 0;
    if ((runs + 1) * 4 + runs * entry > PAGE) continue;
    for (let run = 0; run < runs; run += 1) {
      const at = (page[(runs + 1) * 4 + run * entry] ?? 0) * 2;
      stretches.push({
        from: page.readUInt32LE(run * 4),
        to: page.readUInt32LE(run * 4 + 4),
        ...(at === 0 ? { style: 0, properties: new Map() } : read(page, at)),
      });
    }
  }
  return stretches.toSorted((a, b) => a.from - b.from);
}

function readProperties(bytes: Buffer): Map<number, number> {
  const properties = new Map<number, number>();
  for (let at = 0; at + 2 < bytes.length;) {
    const name = bytes.readUInt16LE(at);
    at += 2;
    let size = OPERANDS[name >> 13] ?? 1;
    if (size < 0)
      size =
        name === TABLE_DEFINITION && at + 2 <= bytes.length
          ? bytes.readUInt16LE(at) + 1
          : (bytes[at] ?? 0) + 1;
    else if (at + size <= bytes.length) properties.set(name, bytes.readUIntLE(at, size));
    at += size;
  }
  return properties;
}

/** The range that contains a byte, by binary search. */
export function stretchAt(
  stretches: readonly Stretch[],
  offset: number,
): Stretch | undefined {
  let low = 0;
  let high = stretches.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const stretch = stretches[middle];
    if (!stretch) return undefined;
    if (offset < stretch.from) high = middle - 1;
    else if (offset >= stretch.to) low = middle + 1;
    else return stretch;
  }
  return undefined;
}
