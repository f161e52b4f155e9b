import { escapeMarkup } from "../escape-markup.ts";
import {
  drain,
  type S3Request,
  storageFailed,
  storageRefused,
  textOf,
} from "./s3-requests.ts";

export interface MultipartUpload {
  /** Parts are numbered from 1. Each except the last has at least 5 MiB. */
  put(number: number, body: Uint8Array): Promise<void>;
  complete(): Promise<void>;
  abort(): Promise<void>;
}

/** Starts an object that is uploaded in parts. */
export async function openMultipartUpload(
  request: S3Request,
  path: string,
  signal: AbortSignal | undefined,
): Promise<MultipartUpload> {
  const { UploadId: uploadId } = await textOf(
    await request("POST", `${path}?uploads=`, { signal }),
  );
  if (!uploadId) throw storageRefused("no UploadId was given");
  const tags: string[] = [];
  const query = `uploadId=${encodeURIComponent(uploadId)}`;
  return {
    async put(number, body) {
      const target = `${path}?partNumber=${number}&${query}`;
      const response = await request("PUT", target, { body, signal });
      tags[number - 1] = response.headers.get("etag") ?? "";
      await drain(response);
    },
    async complete() {
      const body = new TextEncoder().encode(toCompletion(tags));
      // the store may fail after it has started its answer with the status 200
      const answer = await textOf(
        await request("POST", `${path}?${query}`, { body, signal }),
      );
      if (answer["Code"]) throw storageFailed(new Error(answer["Code"]));
    },
    async abort() {
      await drain(await request("DELETE", `${path}?${query}`));
    },
  };
}

function toCompletion(tags: readonly string[]): string {
  const parts = tags.map(
    (tag, index) =>
      `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeMarkup(tag)}</ETag></Part>`,
  );
  return `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
}
