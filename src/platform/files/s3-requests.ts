import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { BadGateway, Unavailable } from "../http/errors.ts";
import { fileMissing } from "./files.ts";
import { readElements } from "./read-elements.ts";

export interface S3Options {
  /** Such as `https://s3.eu-central-1.amazonaws.com`. The path names the bucket. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

interface RequestOptions {
  headers?: Record<string, string>;
  body?: Uint8Array;
  signal?: AbortSignal | undefined;
}

/** @throws NotFound `file_missing`, Unavailable `storage_failed`, BadGateway `storage_refused`. */
export type S3Request = (
  method: string,
  path: string,
  options?: RequestOptions,
) => Promise<Response>;

const SHORT_ANSWER = { maxBytes: 100_000, maxElements: 1_000 };
const MAX_ATTEMPTS = 3;
const FIRST_DELAY_MS = 200;
const TIMEOUT_MS = 60_000;

/**
 * Sends signed requests to one bucket, and repeats one that the server failed to answer.
 * Source: AWS Signature Version 4 with an unsigned payload, which TLS protects.
 */
export function createS3Request(
  options: S3Options,
  fetch: typeof globalThis.fetch,
): S3Request {
  return async (method, path, { headers = {}, body, signal } = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      let failure: unknown;
      const request = { method, path, headers, body, signal };
      const response = await send(options, fetch, request).catch((error: unknown) => {
        failure = error;
      });
      signal?.throwIfAborted();
      if (response?.ok) return response;
      const error = await toError(response, failure);
      if (!(error instanceof Unavailable) || attempt === MAX_ATTEMPTS) throw error;
      await sleep(FIRST_DELAY_MS * 4 ** (attempt - 1), undefined, signal ? { signal } : {});
    }
  };
}

interface SignedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
  signal: AbortSignal | undefined;
}

async function send(
  { endpoint, region, bucket, ...keys }: S3Options,
  fetch: typeof globalThis.fetch,
  { method, path, headers, body, signal }: SignedRequest,
): Promise<Response> {
  const signer = new AwsV4Signer({
    ...keys,
    region,
    service: "s3",
    method,
    url: `${endpoint.replace(/(?<!\/)\/+$/, "")}/${bucket}${path}`,
    headers: { ...headers, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" },
  });
  const signed = await signer.sign();
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  return fetch(signed.url, {
    method,
    headers: signed.headers,
    // callers pass no shared memory
    body: (body as Uint8Array<ArrayBuffer> | undefined) ?? null,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
}

/** The error of a request that has no successful response. `Unavailable` may be repeated. */
async function toError(response: Response | void, failure: unknown): Promise<Error> {
  if (!response) return storageFailed(failure);
  const { status } = response;
  const { Code: code, Message: message = "" } = await textOf(response);
  if (status === 404 && code !== "NoSuchBucket") return fileMissing();
  if (status < 500 && status !== 429)
    return storageRefused(`${code ?? status} ${message}`.trim());
  return storageFailed(new Error(`status ${status}: ${code ?? "no reason"}`));
}

/** Reads the body of a short answer to its end, so that the connection can be used again. */
export async function drain(response: Response): Promise<void> {
  // without its end, only the connection is lost
  await readElements(response, SHORT_ANSWER, () => {}).catch(() => {});
}

/** The texts of the elements of a short answer, by name. Empty for anything but XML. */
export async function textOf(response: Response): Promise<Record<string, string>> {
  const texts: Record<string, string> = Object.create(null);
  await readElements(response, SHORT_ANSWER, (name, text) => {
    texts[name] = text;
  }).catch(() => {}); // its status says what it is; texts only explain it
  return texts;
}

export function storageFailed(cause: unknown): Unavailable {
  const sentence = "The file storage does not answer. Try again in a moment.";
  return new Unavailable("storage_failed", sentence, 10_000, { cause });
}

export function storageRefused(reason: string): BadGateway {
  const sentence = `The file storage refused the request: ${reason}.`;
  return new BadGateway(
    "storage_refused",
    `${sentence} An administrator must check the S3 settings.`,
  );
}
