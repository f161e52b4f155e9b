import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { BadGateway, NotFound, Unavailable } from "../http/errors.ts";
import { readXml } from "./read-xml.ts";

export interface S3Options {
  /** Such as `https://s3.eu-central-1.amazonaws.com`; buckets are named in the path. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface S3Object {
  key: string;
  size: number;
  /** As the store marks its content. */
  etag: string;
}

/**
 * One bucket, by Amazon's REST API, which MinIO, Ceph, R2 and others speak. Each call is tried
 * again where that is safe.
 */
export interface S3Client {
  /** @throws Unavailable `storage_failed`, BadGateway `storage_refused`. */
  put(key: string, body: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** `bytes`: only so many, from the start. @throws NotFound `file_missing`. */
  get(key: string, bytes?: number, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Of none: nothing happens. */
  delete(key: string): Promise<void>;
  /** In the order of their keys, at most 1,000, after the key `after`. */
  list(prefix: string, after?: string, signal?: AbortSignal): Promise<S3Object[]>;
  /** Begins an object of many parts. */
  beginParts(key: string, signal?: AbortSignal): Promise<MultipartUpload>;
}

export interface MultipartUpload {
  /** Parts are numbered from 1; each but the last has at least 5 MiB. */
  put(number: number, body: Uint8Array): Promise<void>;
  complete(): Promise<void>;
  abort(): Promise<void>;
}

/** Objects of one listing, as S3 has it at most. */
const MAX_LISTED = 1_000;
/** Each object takes half a dozen elements, and its key can be escaped at length. */
const LISTING = { maxBytes: 8 * 2 ** 20, maxElements: 20_000 };
const SHORT_ANSWER = { maxBytes: 100_000, maxElements: 1_000 };
const TRIES = 3;
const FIRST_WAIT_MS = 200;
const TIMEOUT_MS = 60_000;

/** Source: Amazon S3 REST API; Signature Version 4 with an unsigned payload, which TLS protects. */
export function createS3(
  { endpoint, region, bucket, ...keys }: S3Options,
  fetch: typeof globalThis.fetch,
): S3Client {
  const base = `${endpoint.replace(/\/+$/, "")}/${bucket}`;

  const once = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: Uint8Array,
    given?: AbortSignal,
  ) => {
    const signer = new AwsV4Signer({
      ...keys,
      region,
      service: "s3",
      method,
      url: base + path,
      headers: { ...headers, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" },
    });
    const signed = await signer.sign();
    const patience = AbortSignal.timeout(TIMEOUT_MS);
    const signal = given ? AbortSignal.any([given, patience]) : patience;
    return fetch(signed.url, {
      method,
      headers: signed.headers,
      body: (body as Uint8Array<ArrayBuffer> | undefined) ?? null,
      signal,
    }); // no shared memory is ever given
  };
  /** @throws for every answer that is no success. */
  const ask = async (
    method: string,
    path: string,
    {
      headers = {},
      body,
      signal,
    }: {
      headers?: Record<string, string>;
      body?: Uint8Array;
      signal?: AbortSignal | undefined;
    } = {},
  ): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      let failure: unknown;
      const response = await once(method, path, headers, body, signal).catch((error: unknown) => {
        failure = error;
      });
      signal?.throwIfAborted();
      if (response?.ok) return response;
      const told = response && (await textOf(response));
      if (response?.status === 404 && told?.["Code"] !== "NoSuchBucket") throw fileMissing();
      const again = !response || response.status >= 500 || response.status === 429;
      if (!again)
        throw storageRefused(
          `${told?.["Code"] ?? response.status} ${told?.["Message"] ?? ""}`.trim(),
        );
      if (attempt === TRIES)
        throw storageFailed(
          failure ?? new Error(`status ${response?.status}: ${told?.["Code"] ?? "no reason"}`),
        );
      await sleep(FIRST_WAIT_MS * 4 ** (attempt - 1), undefined, signal ? { signal } : {});
    }
  };

  return {
    async put(key, body, signal) {
      await drained(await ask("PUT", pathOf(key), { body, signal }));
    },
    async get(key, bytes, signal) {
      const headers = bytes === undefined ? undefined : { range: `bytes=0-${bytes - 1}` };
      const response = await ask("GET", pathOf(key), { ...(headers && { headers }), signal }).catch(
        (error: unknown) => {
          // an empty object has no range
          if (
            bytes !== undefined &&
            error instanceof BadGateway &&
            error.message.includes("InvalidRange")
          )
            return new Response("");
          throw error;
        },
      );
      return response.body ?? new Blob([]).stream();
    },
    async delete(key) {
      await ask("DELETE", pathOf(key)).then(drained, (error: unknown) => {
        if (!(error instanceof NotFound)) throw error;
      });
    },
    async list(prefix, after, signal) {
      const query = new URLSearchParams({
        "list-type": "2",
        "max-keys": String(MAX_LISTED),
        prefix,
        ...(after && { "start-after": after }),
      });
      return objectsOf(await ask("GET", `?${query}`, { signal }));
    },
    async beginParts(key, signal) {
      const path = pathOf(key);
      const { UploadId: uploadId } = await textOf(
        await ask("POST", `${path}?uploads=`, { signal }),
      );
      if (!uploadId) throw storageRefused("no UploadId was given");
      const tags: string[] = [];
      const query = `uploadId=${encodeURIComponent(uploadId)}`;
      return {
        async put(number, body) {
          const response = await ask("PUT", `${path}?partNumber=${number}&${query}`, {
            body,
            signal,
          });
          tags[number - 1] = response.headers.get("etag") ?? "";
          await drained(response);
        },
        async complete() {
          const parts = tags.map(
            (tag, at) =>
              `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
          );
          const body = new TextEncoder().encode(
            `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`,
          );
          // a failure can come under the status 200, after the store has begun its answer
          const told = await textOf(await ask("POST", `${path}?${query}`, { body, signal }));
          if (told["Code"]) throw storageFailed(new Error(told["Code"]));
        },
        async abort() {
          await drained(await ask("DELETE", `${path}?${query}`));
        },
      };
    },
  };
}

function pathOf(key: string): string {
  return `/${key.split("/").map(encodeURIComponent).join("/")}`;
}

async function drained(response: Response): Promise<void> {
  await readXml(response, SHORT_ANSWER, () => {}).catch(() => {});
}

/** The texts of a short answer's elements, by name. What is no XML, or none of S3's, has none. */
async function textOf(response: Response): Promise<Record<string, string>> {
  const texts: Record<string, string> = Object.create(null);
  await readXml(response, SHORT_ANSWER, (name, text) => {
    texts[name] = text;
  }).catch(() => {});
  return texts;
}

/** @throws BadGateway `storage_refused` for more than was asked for. */
async function objectsOf(response: Response): Promise<S3Object[]> {
  const objects: S3Object[] = [];
  let object = { key: "", size: 0, etag: "" };
  await readXml(response, LISTING, (name, text) => {
    if (name === "Key") object.key = text;
    else if (name === "Size") object.size = Number(text);
    else if (name === "ETag") object.etag = text;
    else if (name === "Contents") {
      if (objects.length === MAX_LISTED) throw new Error(`more than ${MAX_LISTED} objects`);
      objects.push(object);
      object = { key: "", size: 0, etag: "" };
    }
  }).catch((error: unknown) => {
    if (isAborted(error)) throw error;
    throw storageRefused(
      `its listing cannot be read: ${error instanceof Error ? error.message : ""}`,
    );
  });
  return objects;
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && ["AbortError", "TimeoutError"].includes(error.name);
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function fileMissing(): NotFound {
  return new NotFound(
    "file_missing",
    "The file's bytes are gone from the storage. Upload it again.",
  );
}

function storageFailed(cause: unknown): Unavailable {
  return new Unavailable(
    "storage_failed",
    "The file storage does not answer. Try again in a moment.",
    10_000,
    { cause },
  );
}

function storageRefused(reason: string): BadGateway {
  return new BadGateway(
    "storage_refused",
    `The file storage refused: ${reason}. An administrator must look at the S3_… settings.`,
  );
}
