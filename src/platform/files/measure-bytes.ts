import { createHash } from "node:crypto";
import { TooLarge } from "../http/errors.ts";
import type { StoredFile } from "./files.ts";

/** Counts, hashes and limits bytes that are written to a file. */
export class MeasuredBytes implements AsyncIterable<Uint8Array> {
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #maxBytes: number;
  readonly #signal: AbortSignal | undefined;
  readonly #hash = createHash("sha256");
  #size = 0;

  constructor(
    body: AsyncIterable<Uint8Array>,
    { maxBytes, signal }: { maxBytes: number; signal?: AbortSignal },
  ) {
    this.#body = body;
    this.#maxBytes = maxBytes;
    this.#signal = signal;
  }

  /** @throws TooLarge `file_too_large`, and the signal's reason. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#body) {
      this.#signal?.throwIfAborted();
      this.#size += chunk.byteLength;
      if (this.#size > this.#maxBytes)
        throw new TooLarge(
          "file_too_large",
          `The file is larger than ${this.#maxBytes} bytes, the most that may be ` +
            "stored. Send a smaller one.",
          { params: { maxBytes: this.#maxBytes } },
        );
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  /** Call it once, after the last byte. */
  end(): StoredFile {
    return { size: this.#size, sha256: this.#hash.digest("hex") };
  }
}
