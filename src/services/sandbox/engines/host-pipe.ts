import { readSync, writeSync } from "node:fs";
import { decodeHeader } from "../frames.ts";

// code of people may put another one in its place
const exit = process.exit.bind(process);

/**
 * The service's end as a process of an engine in Node sees it: commands arrive on descriptor 4,
 * reports leave on 3. Reads and writes block, so that what the code prints leaves while it runs.
 */
export function readFrame(): Buffer {
  const { length } = decodeHeader(readExactly(5));
  return readExactly(length);
}

export function writeFrame(frame: Buffer): void {
  for (let at = 0; at < frame.byteLength;) at += writeSync(3, frame, at);
}

/** Ends the process where the service has ended. */
function readExactly(length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const count = readSync(4, bytes, at, length - at, null);
    if (count === 0) exit(0);
    at += count;
  }
  return bytes;
}
