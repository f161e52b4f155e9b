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
