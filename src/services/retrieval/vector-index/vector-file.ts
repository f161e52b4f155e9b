import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";

/** Blocks of one size in a file. One that was not written whole counts as absent. */
export interface VectorFile {
  /** Reads all blocks in their order; undefined for one that is damaged. */
  read(): Generator<Buffer<ArrayBuffer> | undefined>;
  write(number: number, block: Buffer): void;
  close(): void;
}

const FORMAT = 1;
const HEAD_BYTES = 4_096;
const SUM_BYTES = 4;

/**
 * Opens the file, or makes it.
 * @param content what its blocks are of: a file of something else is made again.
 */
export function openVectorFile(
  path: string,
  content: string,
  blockBytes: number,
): VectorFile {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(JSON.stringify({ format: FORMAT, content, blockBytes }));
  const file = openSame(path, head) ?? makeFile(path, head);
  const placeOf = (number: number) => HEAD_BYTES + number * (blockBytes + SUM_BYTES);
  const sum = Buffer.alloc(SUM_BYTES);
  return {
    *read() {
      const { size } = fstatSync(file);
      for (let number = 0; placeOf(number) < size; number += 1) {
        const block = Buffer.from(new ArrayBuffer(blockBytes));
        const read =
          readSync(file, block, 0, blockBytes, placeOf(number)) +
          readSync(file, sum, 0, SUM_BYTES, placeOf(number) + blockBytes);
        const isWhole = read === blockBytes + SUM_BYTES;
        yield isWhole && crc32(block) === sum.readUInt32BE() ? block : undefined;
      }
    },
    write(number, block) {
      writeWhole(file, block, placeOf(number));
      sum.writeUInt32BE(crc32(block));
      writeWhole(file, sum, placeOf(number) + blockBytes);
    },
    close: () => closeSync(file),
  };
}

function openSame(path: string, head: Buffer): number | undefined {
  let file: number;
  try {
    file = openSync(path, "r+");
  } catch {
    // there is none, or none that can be read: it is made again
    return undefined;
  }
  const found = Buffer.alloc(HEAD_BYTES);
  readSync(file, found, 0, HEAD_BYTES, 0);
  if (found.equals(head)) return file;
  closeSync(file);
  return undefined;
}

function makeFile(path: string, head: Buffer): number {
  // its contents are of what people wrote
  const file = openSync(path, "w+", 0o600);
  writeWhole(file, head, 0);
  return file;
}

function writeWhole(file: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.byteLength;)
    at += writeSync(file, bytes, at, bytes.byteLength - at, position + at);
}
