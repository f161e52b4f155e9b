import { codePageName, decodePage } from "../rtf/code-pages.ts";
const MAX_CHARACTERS = 100_000_000;

/**
 * Reads the shared texts of cells ([MS-XLS] 2.4.265, 2.5.293). They continue across records, where
 * each piece states the width of its characters again.
 */
export function readBiffStrings(records: readonly BiffRecord[]): string[] {
  const strings: string[] = [];
  let total = 0;
  for (const { data, rest } of records) {
    const reader = pieces([data, ...rest]);
    reader.skip(4);
    const count = reader.number(4);
    for (
      let index = 0;
      index < count && !reader.ended() && total < MAX_CHARACTERS;
      index += 1
    ) {
      const length = reader.number(2);
      const flags = reader.number(1);
      const runs = flags & 8 ? reader.number(2) : 0;
      const extra = flags & 4 ? reader.number(4) : 0;
      const text = reader.characters(length, (flags & 1) === 1);
      reader.skip(runs * 4 + extra);
      total += text.length;
      strings.push(text);
    }
  }
  return strings;
}

function pieces(parts: readonly Buffer[]) {
  let part = 0;
  let at = 0;
  const current = () => parts[part] ?? Buffer.alloc(0);
  const settle = () => {
    while (at >= current().length && part < parts.length) {
      at -= current().length;
      part += 1;
    }
  };
  return {
    ended: () => {
      settle();
      return part >= parts.length;
    },
    skip(count: number) {
      at += count;
      settle();
    },
    number(bytes: number): number {
      let value = 0;
      for (let index = 0; index < bytes; index += 1) {
        settle();
        value += (current()[at] ?? 0) * 256 ** index;
        at += 1;
      }
      return value;
    },
    characters(count: number, wide: boolean): string {
      let text = "";
      let left = count;
      let isWide = wide;
      while (left > 0) {
        if (at >= current().length) {
          part += 1;
          at = 0;
          if (part >= parts.length) break;
          isWide = ((current()[at] ?? 0) & 1) === 1;
          at += 1;
        }
        const width = isWide ? 2 : 1;
        const take = Math.min(left, Math.floor((current().length - at) / width));
        if (take <= 0) {
          at = current().length;
          continue;
        }
        text += current().toString(isWide ? "utf16le" : "latin1", at, at + take * width);
        at += take * width;
        left -= take;
      }
      return text;
    },
  };
}

/** Reads a string with a length of one byte. */
export function shortString(
  data: Buffer,
  at: number,
  wide: boolean,
  codePage: number,
): string {
  return stringAt(data, at + 1, data[at] ?? 0, wide, codePage);
}

/** Reads a string with a length of two bytes. */
export function longString(
  data: Buffer,
  at: number,
  wide: boolean,
  codePage: number,
): string {
  return stringAt(
    data,
    at + 2,
    data.length >= at + 2 ? data.readUInt16LE(at) : 0,
    wide,
    codePage,
  );
}

/** Since Excel 97 a byte states the width of the characters. Earlier versions use a code page. */
function stringAt(
  data: Buffer,
  at: number,
  length: number,
  wide: boolean,
  codePage: number,
): string {
  if (!wide) return decodePage([...data.subarray(at, at + length)], codePageName(codePage));
  return (data[at] ?? 0) & 1
    ? data.toString("utf16le", at + 1, at + 1 + length * 2)
    : data.toString("latin1", at + 1, at + 1 + length);
}

export interface BiffRecord {
  type: number;
  data: Buffer;
  /** The data that did not fit into one record, in order. */
  rest: Buffer[];
}

const CONTINUE = 0x3c;
const EOF = 0x0a;
const BOF = 0x809;

/**
 * Yields the records of one part of a workbook, without those of parts inside it, such as charts.
 * Source: [MS-XLS] 2.1.4.
 */
export function* biffRecords(stream: Buffer, from: number): Generator<BiffRecord> {
  let last: BiffRecord | undefined;
  let inside = 0;
  for (let at = from; at + 4 <= stream.length;) {
    const type = stream.readUInt16LE(at);
    const length = stream.readUInt16LE(at + 2);
    const data = stream.subarray(at + 4, at + 4 + length);
    at += 4 + length;
    if (type === CONTINUE) {
      last?.rest.push(data);
      continue;
    }
    if (last && inside <= 1) yield last;
    last = undefined;
    if (type === BOF) inside += 1;
    if (type === EOF) {
      inside -= 1;
      if (inside <= 0) return;
    }
    if (inside <= 1) last = { type, data, rest: [] };
  }
  if (last) yield last;
}
