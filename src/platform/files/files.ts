/**
 * Where the bytes of files lie: what a service keeps beside its database, by keys that it makes
 * itself.
 */
export interface Files {
  /**
   * Stores what comes, as it comes; whole or not at all. An existing file of the key is replaced.
   * @throws TooLarge `file_too_large` beyond `maxBytes`, Unavailable `storage_failed`.
   */
  write(
    key: string,
    body: AsyncIterable<Uint8Array>,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<StoredFile>;
  /** From the first byte on, as it is read. @throws NotFound `file_missing`. */
  read(key: string): Promise<ReadableStream<Uint8Array>>;
  /** The first bytes, at most so many. @throws NotFound `file_missing`. */
  readStart(key: string, bytes: number): Promise<Uint8Array>;
  /** Of none: nothing happens. */
  delete(key: string): Promise<void>;
}

export interface StoredFile {
  size: number;
  /** Hexadecimal. */
  sha256: string;
}
