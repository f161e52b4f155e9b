import { BadGateway, NotFound } from "../http/errors.ts";
import type { ByteRange } from "./byte-range.ts";
import { openMultipartUpload, type MultipartUpload } from "./s3-multipart.ts";
import { readElements } from "./read-elements.ts";
import {
  createS3Request,
  drain,
  type S3Options,
  type S3Request,
  storageRefused,
} from "./s3-requests.ts";

export interface S3Object {
  key: string;
  size: number;
  /** The store's mark of the content. */
  etag: string;
}

/** One bucket, over Amazon's REST API, which MinIO, Ceph, R2 and others implement. */
export interface S3Client {
  /** @throws Unavailable `storage_failed`, BadGateway `storage_refused`. */
  put(key: string, body: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** An empty object has no range: its stream is empty. @throws NotFound `file_missing`. */
  get(
    key: string,
    range?: ByteRange,
    signal?: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>>;
  /** Does nothing for a missing key. */
  delete(key: string): Promise<void>;
  /** Up to 1,000 objects after the key `after`, in the order of their keys. */
  list(prefix: string, after?: string, signal?: AbortSignal): Promise<S3Object[]>;
  /** Starts an object of many parts. */
  beginParts(key: string, signal?: AbortSignal): Promise<MultipartUpload>;
}

/** The most objects in one listing of S3. */
const MAX_LISTED = 1_000;
/** An object takes six elements, and its key can be escaped at length. */
const LISTING = { maxBytes: 8 * 2 ** 20, maxElements: 20_000 };

/** Source: Amazon S3 REST API. */
export function createS3(options: S3Options, fetch: typeof globalThis.fetch): S3Client {
  const request = createS3Request(options, fetch);
  return {
    put: async (key, body, signal) =>
      drain(await request("PUT", pathOf(key), { body, signal })),
    get: (key, range, signal) => read(request, key, range, signal),
    async delete(key) {
      await request("DELETE", pathOf(key)).then(drain, (error: unknown) => {
        if (!(error instanceof NotFound)) throw error;
      });
    },
    async list(prefix, after, signal) {
      const query = new URLSearchParams({
        "list-type": "2",
        "max-keys": `${MAX_LISTED}`,
        prefix,
      });
      if (after) query.set("start-after", after);
      return readListing(await request("GET", `?${query}`, { signal }));
    },
    beginParts: (key, signal) => openMultipartUpload(request, pathOf(key), signal),
  };
}

function pathOf(key: string): string {
  return `/${key.split("/").map(encodeURIComponent).join("/")}`;
}

async function read(
  request: S3Request,
  key: string,
  range: ByteRange | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const headers: Record<string, string> = {};
  if (range) headers["range"] = `bytes=${range.start}-${range.end}`;
  try {
    const { body, status } = await request("GET", pathOf(key), { headers, signal });
    if (range && range.start > 0 && status !== 206) {
      await body?.cancel();
      throw storageRefused("it sends whole files where a range is asked for");
    }
    return body ?? emptyStream();
  } catch (error) {
    if (range && isEmptyRange(error)) return emptyStream();
    throw error;
  }
}

/** An empty object has no range. */
function isEmptyRange(error: unknown): boolean {
  return error instanceof BadGateway && error.message.includes("InvalidRange");
}

function emptyStream(): ReadableStream<Uint8Array> {
  return new Blob([]).stream();
}

/** @throws BadGateway `storage_refused` for a listing beyond the limits. */
async function readListing(response: Response): Promise<S3Object[]> {
  const objects: S3Object[] = [];
  let object = { key: "", size: 0, etag: "" };
  const onElement = (name: string, text: string) => {
    if (name === "Key") object.key = text;
    else if (name === "Size") object.size = Number(text);
    else if (name === "ETag") object.etag = text;
    else if (name === "Contents") {
      if (objects.length === MAX_LISTED) throw new Error(`more than ${MAX_LISTED} objects`);
      objects.push(object);
      object = { key: "", size: 0, etag: "" };
    }
  };
  try {
    await readElements(response, LISTING, onElement);
    return objects;
  } catch (error) {
    if (isAborted(error)) throw error;
    const reason = error instanceof Error ? error.message : "";
    throw storageRefused(`its listing cannot be read: ${reason}`);
  }
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && ["AbortError", "TimeoutError"].includes(error.name);
}
