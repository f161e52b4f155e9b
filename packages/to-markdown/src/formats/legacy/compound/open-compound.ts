import { damaged } from "../../refuse-file.ts";

/** The streams of a compound file by path, as views of the file's bytes. */
export interface Compound {
  paths: readonly string[];
  stream(path: string): Buffer | undefined;
}

interface Entry {
  name: string;
  type: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

const FREE = 0xfffffffa;
const NONE = 0xffffffff;
const STORAGE = 1;
const STREAM = 2;
const ROOT = 5;

/**
 * Opens a compound file, a file system within a file, which Office used until 2007 and Outlook
 * still uses. Chains of sectors are followed at most for the length of the file. Source: [MS-CFB].
 * @throws FileError `file_damaged`.
 */
export function openCompound(bytes: Uint8Array): Compound {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readCompound(file);
  } catch (error) {
    // the file was cut, and a read went past its end
    throw error instanceof RangeError ? damaged(error) : error;
  }
}

function readCompound(file: Buffer): Compound {
  const sectorSize = 1 << file.readUInt16LE(30);
  const miniSize = 1 << file.readUInt16LE(32);
  if (sectorSize < 128 || sectorSize > 65_536 || miniSize < 16 || miniSize > sectorSize)
    throw damaged();
  const most = Math.ceil(file.length / sectorSize) + 1;
  const sector = (index: number) =>
    file.subarray((index + 1) * sectorSize, (index + 2) * sectorSize);
  const fat = readFat(file, sector, sectorSize, most);
  const chain = (start: number, table: readonly number[], limit: number): number[] => {
    const indexes: number[] = [];
    for (let at = start; at < FREE && indexes.length < limit; at = table[at] ?? NONE)
      indexes.push(at);
    return indexes;
  };
  const whole = (start: number) => Buffer.concat(chain(start, fat, most).map(sector));
  const entries = readDirectory(whole(file.readUInt32LE(48)));
  const cutoff = file.readUInt32LE(56);
  const miniFat = numbersOf(whole(file.readUInt32LE(60)));
  const root = entries.find(({ type }) => type === ROOT);
  const mini = root ? whole(root.start).subarray(0, root.size) : Buffer.alloc(0);
  const streams = new Map<string, Entry>();
  collect(entries, root?.child ?? NONE, "", streams);
  return {
    paths: [...streams.keys()],
    stream(path) {
      const entry = streams.get(path);
      if (!entry) return undefined;
      if (entry.size >= cutoff) return whole(entry.start).subarray(0, entry.size);
      const parts = chain(entry.start, miniFat, Math.ceil(mini.length / miniSize) + 1).map(
        (index) => mini.subarray(index * miniSize, (index + 1) * miniSize),
      );
      return Buffer.concat(parts).subarray(0, entry.size);
    },
  };
}

function readFat(
  file: Buffer,
  sector: (index: number) => Buffer,
  sectorSize: number,
  most: number,
): number[] {
  const places: number[] = [];
  for (let index = 0; index < 109; index += 1)
    places.push(file.readUInt32LE(76 + index * 4));
  const seen = new Set<number>();
  for (let at = file.readUInt32LE(68); at < FREE && !seen.has(at) && seen.size < most;) {
    seen.add(at);
    const more = numbersOf(sector(at));
    places.push(...more.slice(0, sectorSize / 4 - 1));
    at = more[sectorSize / 4 - 1] ?? NONE;
  }
  const fat: number[] = [];
  for (const place of new Set(places)) {
    if (place >= FREE || fat.length > most + sectorSize) continue;
    for (const next of numbersOf(sector(place))) fat.push(next);
  }
  return fat;
}

function numbersOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length >> 2 }, (_, index) =>
    bytes.readUInt32LE(index * 4),
  );
}

function readDirectory(bytes: Buffer): Entry[] {
  return Array.from({ length: Math.floor(bytes.length / 128) }, (_, index) => {
    const entry = bytes.subarray(index * 128, index * 128 + 128);
    const length = Math.min(64, entry.readUInt16LE(64));
    return {
      name: entry.toString("utf16le", 0, Math.max(0, length - 2)),
      type: entry.readUInt8(66),
      left: entry.readUInt32LE(68),
      right: entry.readUInt32LE(72),
      child: entry.readUInt32LE(76),
      start: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    };
  });
}

/** Collects the tree of siblings and children. Each entry is visited once, so that cycles end. */
function collect(
  entries: readonly Entry[],
  first: number,
  prefix: string,
  streams: Map<string, Entry>,
): void {
  const seen = new Set<number>();
  const left: [index: number, prefix: string][] = [[first, prefix]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [index, path] = next;
    const entry = entries[index];
    if (!entry || seen.has(index)) continue;
    seen.add(index);
    if (entry.type === STREAM) streams.set(path + entry.name, entry);
    if (entry.type === STORAGE && path.length < 2_000)
      left.push([entry.child, `${path}${entry.name}/`]);
    left.push([entry.left, path], [entry.right, path]);
  }
}
