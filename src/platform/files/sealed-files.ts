import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { ConfigError } from "../config/read-config.ts";
import { Unavailable } from "../http/errors.ts";
import type { ByteRange } from "./byte-range.ts";
import type { Files } from "./files.ts";
import { MeasuredBytes } from "./measure-bytes.ts";

/**
 * An encrypted file is a header (a mark, the mark of the key, a random salt) and segments: each
 * 64 KiB of the content, encrypted, and its tag of 16 bytes. The nonce of a segment is its number
 * and whether it is the last, so that a cut file, or one whose segments changed places, is refused.
 * Each file has a key of its own, derived from FILES_ENCRYPTION_KEY, the salt and the name of the
 * file: a file that takes the place of another one is refused too.
 * Source: Hoang, Reyhanitabar, Rogaway and Vizár, "Online Authenticated-Encryption and its
 * Nonce-Reuse Misuse-Resistance" (2015), STREAM.
 */
const MARK = Buffer.from("8b5061726c616e63656401f0c6d94e73", "hex");
const KEY_MARK_BYTES = 8;
const SALT_BYTES = 32;
const HEADER_BYTES = MARK.length + KEY_MARK_BYTES + SALT_BYTES;
const CONTENT_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEGMENT_BYTES = CONTENT_BYTES + TAG_BYTES;

interface FilesKey {
  bytes: Buffer;
  /** Says in a header which key it was, and nothing else about the key. */
  mark: Buffer;
}

/** Whether a stored file is encrypted, and with which of the keys. */
export type SealState = "plain" | "current" | "earlier" | "unknown key";

export interface SealedFiles extends Files {
  stateOf(key: string): Promise<SealState>;
}

/**
 * Files whose content is encrypted in the storage with the first of `keys`, in base64; the others
 * still open what they encrypted. Files that were stored without a key are read as they are.
 * @throws ConfigError for a key that is not 32 bytes.
 */
export function sealedFiles(files: Files, keys: readonly string[]): SealedFiles {
  const known = keys.map(readKey);
  const [current] = known;
  return {
    async write(key, body, options) {
      if (!current) return files.write(key, body, options);
      const content = new MeasuredBytes(body, options);
      await files.write(key, seal(content, key, current), {
        ...options,
        maxBytes: sealedSize(options.maxBytes),
      });
      return content.end();
    },

    async read(key, range) {
      if (!range) return readWhole(await files.read(key), key, known);
      const header = await files.readStart(key, HEADER_BYTES);
      if (!isSealed(header)) return files.read(key, range);
      return readRange(files, key, range, openHeader(header, key, known));
    },

    async readStart(key, bytes) {
      const start = await files.readStart(key, HEADER_BYTES + segmentsTo(bytes));
      if (!isSealed(start)) return start.subarray(0, bytes);
      const opener = openHeader(start, key, known);
      const pieces: Uint8Array[] = [];
      for (let at = HEADER_BYTES; at < start.length; at += SEGMENT_BYTES)
        pieces.push(opener.open(start.subarray(at, at + SEGMENT_BYTES)));
      return new Uint8Array(Buffer.concat(pieces).subarray(0, bytes));
    },

    delete: (key) => files.delete(key),
    list: () => files.list(),

    async stateOf(key) {
      const header = await files.readStart(key, HEADER_BYTES);
      if (!isSealed(header)) return "plain";
      const used = keyOf(header, known);
      if (!used) return "unknown key";
      return used === current ? "current" : "earlier";
    },
  };
}

function readKey(encoded: string): FilesKey {
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.length !== 32)
    throw new ConfigError(
      "Each key in FILES_ENCRYPTION_KEY must be 32 bytes in base64. " +
        "Generate one: openssl rand -base64 32.",
    );
  return {
    bytes,
    mark: derive(bytes, Buffer.alloc(0), "parlance mark of a key", KEY_MARK_BYTES),
  };
}

function derive(key: Buffer, salt: Buffer, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, purpose, bytes));
}

function keyOfFile(key: FilesKey, salt: Buffer, name: string): Buffer {
  return derive(key.bytes, salt, `parlance file ${name}`, 32);
}

function isSealed(start: Uint8Array): boolean {
  return start.length >= MARK.length && MARK.equals(start.subarray(0, MARK.length));
}

function keyOf(header: Uint8Array, known: readonly FilesKey[]): FilesKey | undefined {
  const mark = header.subarray(MARK.length, MARK.length + KEY_MARK_BYTES);
  return known.find((key) => key.mark.equals(mark));
}

/** How many bytes `content` takes when it is encrypted. */
function sealedSize(content: number): number {
  const segments = Math.max(1, Math.ceil(content / CONTENT_BYTES));
  return HEADER_BYTES + content + segments * TAG_BYTES;
}

/** The bytes of all segments that hold the first `bytes` of the content. */
function segmentsTo(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / CONTENT_BYTES)) * SEGMENT_BYTES;
}

function nonceOf(segment: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(segment, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

async function* seal(
  content: AsyncIterable<Uint8Array>,
  name: string,
  key: FilesKey,
): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(SALT_BYTES);
  const secret = keyOfFile(key, salt, name);
  yield Buffer.concat([MARK, key.mark, salt]);
  let segment = 0;
  const next = (piece: Uint8Array, isLast: boolean) => {
    const cipher = createCipheriv("aes-256-gcm", secret, nonceOf(segment, isLast));
    segment += 1;
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  };
  let waiting: Uint8Array | undefined;
  for await (const piece of inPieces(content, CONTENT_BYTES)) {
    // only the end tells which segment is the last
    if (waiting) yield next(waiting, false);
    waiting = piece;
  }
  yield next(waiting ?? new Uint8Array(), true);
}

/** Pieces of `size` bytes, the last one shorter. */
async function* inPieces(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    let from = 0;
    while (length + chunk.length - from >= size) {
      const to = from + size - length;
      yield Buffer.concat([...parts, chunk.subarray(from, to)]);
      [parts, length, from] = [[], 0, to];
    }
    if (from === chunk.length) continue;
    // a copy, because a reader may write its next bytes into the same memory
    parts.push(new Uint8Array(chunk.subarray(from)));
    length += chunk.length - from;
  }
  if (length > 0) yield Buffer.concat(parts);
}

/** Opens the segments of a file in their order. */
class Opener {
  readonly #secret: Buffer;
  #segment: number;
  /** Whether the last segment of the file was opened. */
  hasEnded = false;

  constructor(secret: Buffer, segment = 0) {
    this.#secret = secret;
    this.#segment = segment;
  }

  from(segment: number): Opener {
    return new Opener(this.#secret, segment);
  }

  open(sealed: Uint8Array): Uint8Array {
    if (this.hasEnded || sealed.length < TAG_BYTES) throw damaged();
    const isFull = sealed.length === SEGMENT_BYTES;
    const content =
      (isFull ? this.#tryOpen(sealed, false) : undefined) ?? this.#tryOpen(sealed, true);
    if (!content) throw damaged();
    this.#segment += 1;
    return content;
  }

  #tryOpen(sealed: Uint8Array, isLast: boolean): Uint8Array | undefined {
    const nonce = nonceOf(this.#segment, isLast);
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv("aes-256-gcm", this.#secret, nonce, options);
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const content = decipher.update(sealed.subarray(0, -TAG_BYTES));
      decipher.final();
      this.hasEnded = isLast;
      return content;
    } catch {
      // another nonce, or changed bytes
      return undefined;
    }
  }
}

/** @throws Unavailable `file_key_missing` where none of the known keys encrypted it. */
function openHeader(start: Uint8Array, name: string, known: readonly FilesKey[]): Opener {
  const header = Buffer.from(start.subarray(0, HEADER_BYTES));
  if (header.length < HEADER_BYTES) throw damaged();
  const key = keyOf(header, known);
  if (!key)
    throw new Unavailable(
      "file_key_missing",
      "The file is encrypted with a key that this server does not have. An administrator must " +
        "add the earlier key to FILES_ENCRYPTION_KEY.",
      30_000,
    );
  return new Opener(keyOfFile(key, header.subarray(-SALT_BYTES), name));
}

function damaged(): Unavailable {
  return new Unavailable(
    "stored_file_damaged",
    "The stored file was cut or changed, so that it cannot be decrypted. Upload it again, or have " +
      "an administrator restore it from a backup.",
    30_000,
  );
}

type FileStream = ReadableStream<Uint8Array>;

/** The content of a stream, which is passed on as it is where it is not encrypted. */
async function readWhole(
  stream: FileStream,
  name: string,
  known: readonly FilesKey[],
): Promise<FileStream> {
  const reader = stream.getReader();
  const start: Uint8Array[] = [];
  let length = 0;
  while (length < HEADER_BYTES) {
    const { value, done } = await reader.read();
    if (done) break;
    start.push(value);
    length += value.length;
  }
  const first = Buffer.concat(start);
  if (!isSealed(first)) return resume([first], reader);
  try {
    const opener = openHeader(first, name, known);
    const segments = resume([first.subarray(HEADER_BYTES)], reader);
    return ReadableStream.from(openAll(segments, opener)) as FileStream;
  } catch (error) {
    await reader.cancel();
    throw error;
  }
}

/** A stream of `first` and then what the reader reads. */
function resume(
  first: Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): FileStream {
  return new ReadableStream({
    async pull(controller) {
      const waiting = first.shift();
      if (waiting?.length) return controller.enqueue(waiting);
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function* openAll(
  segments: AsyncIterable<Uint8Array>,
  opener: Opener,
): AsyncGenerator<Uint8Array> {
  for await (const piece of inPieces(segments, SEGMENT_BYTES)) {
    const content = opener.open(piece);
    if (content.length > 0) yield content;
  }
  if (!opener.hasEnded) throw damaged();
}

async function readRange(
  files: Files,
  key: string,
  { start, end }: ByteRange,
  whole: Opener,
): Promise<FileStream> {
  const first = Math.floor(start / CONTENT_BYTES);
  const last = Math.floor(end / CONTENT_BYTES);
  const segments = await files.read(key, {
    start: HEADER_BYTES + first * SEGMENT_BYTES,
    end: HEADER_BYTES + (last + 1) * SEGMENT_BYTES - 1,
  });
  const skipped = start - first * CONTENT_BYTES;
  return ReadableStream.from(
    cutOut(segments, whole.from(first), skipped, end - start + 1),
  ) as FileStream;
}

/** `length` bytes of the content after the first `skipped`; fewer only at the file's true end. */
async function* cutOut(
  segments: AsyncIterable<Uint8Array>,
  opener: Opener,
  skipped: number,
  length: number,
): AsyncGenerator<Uint8Array> {
  let toSkip = skipped;
  let left = length;
  for await (const piece of inPieces(segments, SEGMENT_BYTES)) {
    const content = opener.open(piece).subarray(toSkip, toSkip + left);
    toSkip = 0;
    left -= content.length;
    if (content.length > 0) yield content;
  }
  if (left > 0 && !opener.hasEnded) throw damaged();
}
