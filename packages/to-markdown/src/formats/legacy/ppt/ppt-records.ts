/** A record of a presentation. A container has other records instead of bytes. */
export interface PptRecord {
  type: number;
  instance: number;
  data: Buffer;
  children: PptRecord[];
}

const MAX_DEPTH = 30;
const MAX_RECORDS = 500_000;

/** Reads the record at an offset, including those inside it. Source: [MS-PPT] 2.3.1. */
export function pptRecordAt(stream: Buffer, offset: number): PptRecord | undefined {
  return readRecords(stream, offset, offset + 1, 0, { left: MAX_RECORDS })[0];
}

function readRecords(
  stream: Buffer,
  from: number,
  to: number,
  depth: number,
  budget: { left: number },
): PptRecord[] {
  const records: PptRecord[] = [];
  for (let at = from; at < to && at + 8 <= stream.length && budget.left > 0;) {
    budget.left -= 1;
    const head = stream.readUInt16LE(at);
    const end = Math.min(stream.length, at + 8 + stream.readUInt32LE(at + 4));
    const holds = (head & 0xf) === 0xf && depth < MAX_DEPTH;
    records.push({
      type: stream.readUInt16LE(at + 2),
      instance: head >> 4,
      data: holds ? Buffer.alloc(0) : stream.subarray(at + 8, end),
      children: holds ? readRecords(stream, at + 8, end, depth + 1, budget) : [],
    });
    at = end;
  }
  return records;
}

/** All records of a type at any depth, in order. */
export function pptRecordsIn(
  record: PptRecord | undefined,
  type: number,
  found: PptRecord[] = [],
): PptRecord[] {
  for (const child of record?.children ?? []) {
    if (child.type === type) found.push(child);
    else pptRecordsIn(child, type, found);
  }
  return found;
}
