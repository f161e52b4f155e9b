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
import { durationOf } from "./duration.ts";
import { detectLanguage } from "../../../platform/detect-language.ts";
import type { Medium, Read } from "./work-reading.ts";

interface Deps {
  files: Files;
  outgoing: Pick<Outgoing, "dispatcher" | "check">;
  /** Ends before /v1/audio/transcriptions; unset: nothing can be transcribed. */
  url: string | undefined;
  apiKey: string | undefined;
  model: string;
  timeoutMs: number;
}

/** `verbose_json` of OpenAI's audio API, of which compatible servers leave out much. */
const Answer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  duration: z.coerce.number().nullish(),
});
const MAX_ANSWER_CHARACTERS = 16 * 2 ** 20;
/** Each segment tells a dozen numbers and its tokens. */
const MAX_ANSWER_VALUES = 200_000;

/**
 * Speech in words, by any endpoint that is compatible with Whisper's; bytes go through as they are
 * read.
 */
export function transcriber({ files, outgoing, url, apiKey, model, timeoutMs }: Deps) {
  return async ({ medium, storageKey }: Medium, signal: AbortSignal): Promise<Read> => {
    if (url === undefined)
      throw new BadRequest(
        "transcription_unavailable",
        "No transcription endpoint is set, so speech cannot be read. An administrator sets TRANSCRIPTION_URL.",
      );
    const ask = async (format: string) => {
      const address = new URL(`${url}/v1/audio/transcriptions`);
      outgoing.check(address.href);
      const fields = { model, response_format: format };
      const form = multipart(
        fields,
        { name: `medium.${endingOf(medium)}`, ...medium },
        await files.read(storageKey),
      );
      const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      try {
        // not by `fetch`, which gives up when no answer begins within two minutes: an hour of
        // speech takes longer
        const { statusCode, headers, body } = await outgoing.dispatcher.request({
          origin: address.origin,
          path: address.pathname + address.search,
          method: "POST",
          headers: { ...form.headers, ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
          body: form.body,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
          signal: until,
        });
        return {
          status: statusCode,
          retryAfter: Number(headers["retry-after"]),
          text: await limited(body),
        };
      } catch (error) {
        throw signal.aborted ? error : failed(error, until.aborted, timeoutMs);
      }
    };
    let answer = await ask("verbose_json");
    // newer models know no verbose form
    if (answer.status === 400 && answer.text.includes("response_format"))
      answer = await ask("json");
    if (answer.status !== 200) throw refused(answer.status, answer.retryAfter);
    const { text, language, duration } = read(answer.text);
    return {
      transcript: text,
      language:
        codeOf(language ?? undefined) ?? (await detectLanguage(text, 1)).language ?? undefined,
      duration: (await durationOf(files, storageKey, medium)) ?? duration ?? undefined,
    };
  };
}

function read(text: string): z.output<typeof Answer> {
  try {
    return Answer.parse(parseJson(text, { maxValues: MAX_ANSWER_VALUES }));
  } catch (error) {
    throw new BadGateway(
      "transcription_invalid",
      "The transcription endpoint's answer is none of Whisper's.",
      { cause: error },
    );
  }
}

async function limited(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ANSWER_CHARACTERS)
      throw new BadGateway("transcription_invalid", "The transcription is too long.");
  }
  return text;
}

/**
 * A form with one file, written as it is read; its length is known, which some servers ask for.
 * Source: RFC 7578.
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
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${mimeType}\r\n\r\n`;
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

const ENDINGS: Record<string, string> = {
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

/** Endpoints tell the container by the name's ending. */
function endingOf({ mimeType, filename }: { mimeType: string; filename: string }): string {
  return ENDINGS[mimeType] ?? /\.([a-z0-9]{1,5})$/i.exec(filename)?.[1]?.toLowerCase() ?? "bin";
}

let codes: Map<string, string> | undefined;

/** `english` and `en` alike: the endpoints differ. */
function codeOf(language: string | undefined): string | undefined {
  const given = language?.toLowerCase().trim() ?? "";
  if (/^[a-z]{2}(-|$)/.test(given)) return given.slice(0, 2);
  if (!codes) {
    const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    codes = new Map(
      pairs.flatMap((code) => [[names.of(code)?.toLowerCase() ?? "", code] as const]),
    );
  }
  return given === "" ? undefined : codes.get(given);
}

function refused(status: number, retryAfter: number): ApiError {
  if (status === 429)
    return new TooManyRequests(
      "transcription_busy",
      "The transcription endpoint has too much to do.",
      retryAfter * 1_000 || 5_000,
    );
  if (status >= 500)
    return new BadGateway("transcription_failed", "The transcription endpoint failed.");
  if (status === 413)
    return new BadRequest(
      "medium_too_large",
      "The medium is larger than the transcription endpoint takes. Send a shorter one.",
    );
  if (status === 401 || status === 403)
    return new BadRequest(
      "transcription_refused",
      "The transcription endpoint refused our key. An administrator checks TRANSCRIPTION_API_KEY.",
    );
  return new BadRequest(
    "transcription_refused",
    `The transcription endpoint refused the medium (${status}). Look at its format.`,
  );
}

function failed(error: unknown, late: boolean, timeoutMs: number): unknown {
  if (late)
    return new GatewayTimeout(
      "transcription_timeout",
      `The transcription endpoint was not done after ${timeoutMs / 1_000} s.`,
    );
  if (error instanceof Error && "code" in error && "status" in error) return error;
  return new Unavailable(
    "transcription_unreachable",
    "The transcription endpoint cannot be reached. An administrator checks TRANSCRIPTION_URL.",
    5_000,
    { cause: error },
  );
}
