import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { z } from "zod";
import type { Files } from "../../../platform/files/files.ts";
import {
  type ApiError,
  BadGateway,
  BadRequest,
  GatewayTimeout,
  TooManyRequests,
  Unavailable,
} from "../../../platform/http/errors.ts";
import { parseJson } from "../../../platform/json/json-limits.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { Workers } from "../../../platform/workers/workers.ts";
import { durationOf } from "./duration.ts";
import { detectLanguage } from "../../../platform/detect-language.ts";
import type { Medium, ReadResult } from "./work-reading.ts";

interface Deps {
  files: Files;
  workers: Pick<Workers, "run">;
  outgoing: Pick<Outgoing, "dispatcher" | "check">;
  /** The base URL, without /v1/audio/transcriptions. Undefined: speech cannot be transcribed. */
  url: string | undefined;
  apiKey: string | undefined;
  model: string;
  timeoutMs: number;
}

/** `verbose_json` of the OpenAI audio API; compatible servers leave out many fields. */
const Transcription = z.object({
  text: z.string(),
  language: z.string().nullish(),
  duration: z.coerce.number().nullish(),
});
const MAX_RESPONSE_CHARACTERS = 16 * 2 ** 20;
/** Each segment has a dozen numbers and its tokens. */
const MAX_RESPONSE_VALUES = 200_000;

/**
 * Returns a function that transcribes speech with an endpoint compatible with Whisper. It streams
 * the file.
 */
export function createTranscriber(deps: Deps) {
  const { files, outgoing, url, apiKey, model, timeoutMs } = deps;
  return async (
    { medium, storageKey }: Medium,
    signal: AbortSignal,
  ): Promise<ReadResult> => {
    if (url === undefined)
      throw new BadRequest(
        "transcription_unavailable",
        "No transcription endpoint is configured, so speech cannot be transcribed. " +
          "Ask an administrator to set TRANSCRIPTION_URL.",
      );
    const request = async (format: string) => {
      const address = new URL(`${url}/v1/audio/transcriptions`);
      outgoing.check(address.href);
      const fields = { model, response_format: format };
      const form = multipart(
        fields,
        { name: `medium.${extensionOf(medium)}`, ...medium },
        await files.read(storageKey),
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
          retryAfter: Number(headers["retry-after"]),
          text: await readLimited(body),
        };
      } catch (error) {
        throw signal.aborted
          ? error
          : toNetworkError(error, abortSignal.aborted, timeoutMs);
      }
    };
    let response = await request("verbose_json");
    // newer models do not support `verbose_json`
    if (response.status === 400 && response.text.includes("response_format"))
      response = await request("json");
    if (response.status !== 200)
      throw toResponseError(response.status, response.retryAfter);
    const { text, language, duration } = parseTranscription(response.text);
    const stated = await durationOf(deps, storageKey, medium, signal);
    return {
      transcript: text,
      language:
        toLanguageCode(language ?? undefined) ??
        (await detectLanguage(text, 1)).language ??
        undefined,
      duration: stated ?? duration ?? undefined,
    };
  };
}

function parseTranscription(text: string): z.output<typeof Transcription> {
  try {
    return Transcription.parse(parseJson(text, { maxValues: MAX_RESPONSE_VALUES }));
  } catch (error) {
    throw new BadGateway(
      "transcription_invalid",
      "The transcription endpoint returned an invalid response. Check TRANSCRIPTION_URL.",
      { cause: error },
    );
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

let codes: Map<string, string> | undefined;

/** Accepts `english` and `en`: endpoints differ. */
function toLanguageCode(language: string | undefined): string | undefined {
  const name = language?.toLowerCase().trim() ?? "";
  if (/^[a-z]{2}(-|$)/.test(name)) return name.slice(0, 2);
  if (!codes) {
    const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    codes = new Map(
      pairs.flatMap((code) => [[names.of(code)?.toLowerCase() ?? "", code] as const]),
    );
  }
  return name === "" ? undefined : codes.get(name);
}

function toResponseError(status: number, retryAfter: number): ApiError {
  if (status === 429)
    return new TooManyRequests(
      "transcription_busy",
      "The transcription endpoint is busy.",
      retryAfter * 1_000 || 5_000,
    );
  if (status >= 500)
    return new BadGateway("transcription_failed", "The transcription endpoint failed.");
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

function toNetworkError(error: unknown, timedOut: boolean, timeoutMs: number): unknown {
  if (timedOut)
    return new GatewayTimeout(
      "transcription_timeout",
      `The transcription endpoint did not finish within ${timeoutMs / 1_000} s.`,
    );
  if (error instanceof Error && "code" in error && "status" in error) return error;
  return new Unavailable(
    "transcription_unreachable",
    "The transcription endpoint is unreachable. Ask an administrator to check TRANSCRIPTION_URL.",
    5_000,
    { cause: error },
  );
}
