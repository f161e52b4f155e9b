import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import {
  type ApiError,
  BadGateway,
  BadRequest,
  GatewayTimeout,
  TooManyRequests,
  Unavailable,
} from "../../../platform/http/errors.ts";
import { readRetryAfter } from "../../../platform/http/retry-after.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { Medium } from "./work-reading.ts";

export interface Endpoint {
  outgoing: Pick<Outgoing, "dispatcher" | "check">;
  /** The base URL, without /v1/audio/transcriptions. Undefined: speech cannot be transcribed. */
  url: string | undefined;
  apiKey: string | undefined;
  model: string;
  timeoutMs: number;
}

interface Transcribed {
  status: number;
  /** In seconds; NaN where the endpoint does not say it. */
  /** What the endpoint asks for. */
  retryAfterMs: number | undefined;
  text: string;
}

const MAX_RESPONSE_CHARACTERS = 16 * 2 ** 20;

/**
 * Sends speech to an endpoint compatible with Whisper.
 * @param format the `response_format` of the OpenAI audio API.
 * @throws BadRequest `transcription_unavailable` without an endpoint, Unavailable, GatewayTimeout.
 */
export async function requestTranscription(
  { outgoing, url, apiKey, model, timeoutMs }: Endpoint,
  format: string,
  { medium }: Medium,
  readBytes: () => Promise<ReadableStream<Uint8Array>>,
  signal: AbortSignal,
): Promise<Transcribed> {
  if (url === undefined)
    throw new BadRequest(
      "transcription_unavailable",
      "No transcription endpoint is configured, so speech cannot be transcribed. " +
        "Ask an administrator to set TRANSCRIPTION_URL.",
    );
  const address = new URL(`${url}/v1/audio/transcriptions`);
  outgoing.check(address.href);
  const form = multipart(
    { model, response_format: format },
    { name: `medium.${extensionOf(medium)}`, ...medium },
    await readBytes(),
  );
  const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    // not with `fetch`, which fails after five minutes without response headers: long speech
    // takes longer
    const { statusCode, headers, body } = await outgoing.dispatcher.request({
      origin: address.origin,
      path: address.pathname + address.search,
      method: "POST",
      headers: {
        ...form.headers,
        ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      },
      body: form.body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: abortSignal,
    });
    return {
      status: statusCode,
      retryAfterMs: readRetryAfter([headers["retry-after"]].flat()[0]),
      text: await readLimited(body),
    };
  } catch (error) {
    throw signal.aborted ? error : toNetworkError(error, abortSignal.aborted, timeoutMs);
  }
}

async function readLimited(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_RESPONSE_CHARACTERS)
      throw new BadGateway(
        "transcription_invalid",
        "The transcription is too long. Send a shorter medium.",
      );
  }
  return text;
}

/**
 * A multipart form (RFC 7578) that streams one file. Its length is known, which some servers
 * require.
 */
function multipart(
  fields: Record<string, string>,
  { name, mimeType, size }: { name: string; mimeType: string; size: number },
  bytes: ReadableStream<Uint8Array>,
): { body: Readable; headers: Record<string, string> } {
  const boundary = `parlance-${randomUUID()}`;
  const parts = Object.entries(fields).map(
    ([key, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const file =
    `--${boundary}\r\n` +
    `content-disposition: form-data; name="file"; filename="${name}"\r\n` +
    `content-type: ${mimeType}\r\n\r\n`;
  const head = Buffer.from(parts.join("") + file);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* body() {
    yield head;
    yield* bytes;
    yield tail;
  }
  return {
    body: Readable.from(body()),
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(head.byteLength + size + tail.byteLength),
    },
  };
}

const EXTENSIONS: Record<string, string> = {
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/vnd.wave": "wav",
  "audio/mp4": "m4a",
  "audio/x-m4a": "m4a",
  "audio/ogg": "ogg",
  "audio/opus": "ogg",
  "audio/flac": "flac",
  "audio/x-flac": "flac",
  "audio/webm": "webm",
  "video/webm": "webm",
  "video/mp4": "mp4",
  "video/mpeg": "mpeg",
  "video/ogg": "ogg",
};

/** Endpoints detect the container by the file name's extension. */
function extensionOf({
  mimeType,
  filename,
}: {
  mimeType: string;
  filename: string;
}): string {
  return (
    EXTENSIONS[mimeType] ??
    /\.([a-z0-9]{1,5})$/i.exec(filename)?.[1]?.toLowerCase() ??
    "bin"
  );
}

function toNetworkError(error: unknown, timedOut: boolean, timeoutMs: number): unknown {
  if (timedOut)
    return new GatewayTimeout(
      "transcription_timeout",
      `The transcription endpoint did not finish within ${timeoutMs / 1_000} s. Send a ` +
        "shorter medium, or raise TRANSCRIPTION_TIMEOUT.",
    );
  if (error instanceof Error && "code" in error && "status" in error) return error;
  return new Unavailable(
    "transcription_unreachable",
    "The transcription endpoint is unreachable. Ask an administrator to check TRANSCRIPTION_URL.",
    5_000,
    { cause: error },
  );
}

/** What a refusal of the endpoint means. */
export function toResponseError(
  status: number,
  retryAfterMs: number | undefined,
): ApiError {
  if (status === 429)
    return new TooManyRequests(
      "transcription_busy",
      "The transcription endpoint is busy. Try again in a moment.",
      retryAfterMs || 5_000,
    );
  if (status >= 500)
    return new BadGateway(
      "transcription_failed",
      "The transcription endpoint failed. Try again; if this repeats, ask an " +
        "administrator.",
    );
  if (status === 413)
    return new BadRequest(
      "medium_too_large",
      "The medium is too large for the transcription endpoint. Send a shorter one.",
    );
  if (status === 401 || status === 403)
    return new BadRequest(
      "transcription_refused",
      "The transcription endpoint refused the key. " +
        "Ask an administrator to check TRANSCRIPTION_API_KEY.",
    );
  return new BadRequest(
    "transcription_refused",
    `The transcription endpoint refused the medium (status ${status}). Send another format.`,
  );
}
