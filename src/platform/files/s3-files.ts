import type { Files } from "./files.ts";
import { MeasuredBytes } from "./measure-bytes.ts";
import type { S3Client } from "./s3-client.ts";
import type { MultipartUpload } from "./s3-multipart.ts";

/** At least the 5 MiB that S3 requires, and small enough for many concurrent uploads. */
const PART_BYTES = 8 * 2 ** 20;

/**
 * Files in a bucket, under a prefix such as `parlance/`. A file that is longer than a part is
 * uploaded in parts, as it arrives.
 */
export function s3Files(client: S3Client, prefix: string): Files {
  return {
    async write(key, body, options) {
      const bytes = new MeasuredBytes(body, options);
      const path = prefix + key;
      let parts: MultipartUpload | undefined;
      let number = 0;
      let waiting: Uint8Array[] = [];
      let length = 0;
      const flush = async () => {
        parts ??= await client.beginParts(path, options.signal);
        await parts.put((number += 1), Buffer.concat(waiting));
        [waiting, length] = [[], 0];
      };
      try {
        for await (const chunk of bytes) {
          waiting.push(chunk);
          length += chunk.byteLength;
          if (length >= PART_BYTES) await flush();
        }
        if (parts) {
          if (length > 0) await flush();
          await parts.complete();
        } else await client.put(path, Buffer.concat(waiting), options.signal);
      } catch (error) {
        // parts that stay cost money; a life-cycle rule of the bucket removes those that remain
        await parts?.abort().catch(() => {});
        throw error;
      }
      return bytes.end();
    },
    read: (key, range) => client.get(prefix + key, range),
    async readStart(key, bytes) {
      return new Uint8Array(
        await new Response(
          await client.get(prefix + key, { start: 0, end: bytes - 1 }),
        ).arrayBuffer(),
      );
    },
    delete: (key) => client.delete(prefix + key),
    async *list() {
      let after: string | undefined;
      for (;;) {
        const page = await client.list(prefix, after);
        yield* page.map(({ key }) => key.slice(prefix.length));
        after = page.at(-1)?.key;
        if (after === undefined) return;
      }
    },
  };
}
