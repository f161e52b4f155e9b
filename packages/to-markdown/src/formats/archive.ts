import { promisify, TextDecoder } from "node:util";
import yauzl from "yauzl";
import { FileError } from "../file-error.ts";
import { damaged, encrypted, partMissing, tooComplex } from "./refuse-file.ts";

/** Limits of unpacking, independent of what the archive declares about itself. */
const MAX_ENTRIES = 10_000;
const MAX_UNPACKED = 500 * 2 ** 20;
/** A large part with a higher compression ratio is a zip bomb. */
const MAX_RATIO = 200;
const LARGE_PART = 50 * 2 ** 20;

/** A zip archive in memory, read part by part. Nothing is written to a disk. */
export interface Archive {
  names: readonly string[];
  has(name: string): boolean;
  /**
   * Yields the text of a part in pieces, decoded as UTF-8 or by its byte order mark.
   * @throws when the part is absent or too large.
   */
  text(name: string): AsyncGenerator<string>;
  whole(name: string): Promise<string>;
  bytes(name: string, most: number): Promise<Buffer>;
}

const open = promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer);

/** @throws FileError `file_damaged`, `file_encrypted`, `too_complex`. */
export async function openArchive(
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<Archive> {
  const zip = await openZip(bytes);
  const entries = await readEntries(zip);
  let unpacked = 0;

  async function* chunks(name: string, most = MAX_UNPACKED): AsyncGenerator<Buffer> {
    const entry = entries.get(name);
    if (!entry) throw partMissing(name);
    const stream = await openPart(zip, entry);
    let size = 0;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        signal?.throwIfAborted();
        size += chunk.length;
        unpacked += chunk.length;
        if (unpacked > MAX_UNPACKED || size > most)
          throw tooComplex("it unpacks to too much");
        if (size > LARGE_PART && size > entry.compressedSize * MAX_RATIO)
          throw tooComplex("a part of it unpacks to hundreds of times its size");
        yield chunk;
      }
    } catch (error) {
      throw error instanceof FileError || signal?.aborted ? error : damaged(error);
    }
  }

  const text = (name: string) => decoded(chunks(name));
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    text,
    async whole(name) {
      let all = "";
      for await (const piece of text(name)) all += piece;
      return all;
    },
    async bytes(name, most) {
      const parts: Buffer[] = [];
      for await (const chunk of chunks(name, most)) parts.push(chunk);
      return Buffer.concat(parts);
    },
  };
}

async function openZip(bytes: Uint8Array): Promise<yauzl.ZipFile> {
  try {
    // names are checked here, so that one name with `..` does not make the rest unreadable
    return await open(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
      decodeStrings: false,
      autoClose: false,
    });
  } catch (error) {
    throw damaged(error);
  }
}

function openPart(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<NodeJS.ReadableStream> {
  return new Promise((resolve, reject) =>
    zip.openReadStream(entry, (error, opened) =>
      error || !opened ? reject(damaged(error)) : resolve(opened),
    ),
  );
}

async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder?.decode() ?? "";
}

async function readEntries(zip: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  if (zip.entryCount > MAX_ENTRIES) throw tooComplex(`it holds ${zip.entryCount} parts`);
  const entries = new Map<string, yauzl.Entry>();
  await new Promise<void>((resolve, reject) => {
    zip.on("entry", (entry: yauzl.Entry) => {
      const name = Buffer.from(entry.fileName as unknown as Uint8Array)
        .toString("utf8")
        .replaceAll("\\", "/"); // bytes, as decodeStrings is off
      if (entry.generalPurposeBitFlag & 1) return reject(encrypted());
      if (!name.split("/").includes("..")) entries.set(name.replace(/^\/+/, ""), entry);
      if (entries.size > MAX_ENTRIES) return reject(tooComplex("it holds too many parts"));
      zip.readEntry();
    });
    zip.on("end", resolve);
    zip.on("error", (error) => reject(damaged(error)));
    zip.readEntry();
  });
  return entries;
}

function encodingOf(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  return "utf-8";
}
