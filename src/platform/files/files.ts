import { NotFound } from "../http/errors.ts";
import type { ByteRange } from "./byte-range.ts";

/** Storage for the bytes of files, by keys that the services make. */
export interface Files {
  /**
   * Stores a body as it arrives, completely or not at all. Replaces an existing file of the key.
   * @throws TooLarge `file_too_large` beyond `maxBytes`, Unavailable `storage_failed`.
   */
  write(
    key: string,
    body: AsyncIterable<Uint8Array>,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<StoredFile>;
  /** Streams a file, or a range of it. @throws NotFound `file_missing`. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>>;
  /** Reads up to `bytes` from the start. @throws NotFound `file_missing`. */
  readStart(key: string, bytes: number): Promise<Uint8Array>;
  /** Does nothing for a missing file. */
  delete(key: string): Promise<void>;
  /** The keys of all files, in no order. */
  list(): AsyncIterable<string>;
}

export interface StoredFile {
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

export function fileMissing(): NotFound {
  const sentence =
    "The bytes of the file are not in the storage any more. Upload it again.";
  return new NotFound("file_missing", sentence);
}
