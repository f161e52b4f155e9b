import { FormData } from "undici";
import { isRecord } from "../../../platform/json/is-record.ts";
import type { RecordingHead, ToModel } from "../contract-tasks.ts";
import { invalidFailure } from "../provider-failures.ts";
import {
  type Answer,
  type Ask,
  askModel,
  type TaskDeps,
  type TaskUsage,
} from "./ask-model.ts";
import { usageOfImages, usageOfRecording, usageOfText } from "./read-usage.ts";

const MEBIBYTE = 1024 * 1024;
/** Ten large images as base64. */
const MAX_IMAGES_BYTES = 64 * MEBIBYTE;
/** Two hours of speech. */
const MAX_SPEECH_BYTES = 128 * MEBIBYTE;
const MAX_TEXT_BYTES = 16 * MEBIBYTE;

/** Makes images. Source: OpenAI API reference, images. */
export async function makeImages(deps: TaskDeps, given: ToModel, signal: AbortSignal) {
  const ask: Ask = {
    ...jsonAsk(given, "/images/generations"),
    kind: "image",
    maxAnswerBytes: MAX_IMAGES_BYTES,
  };
  return wholeAnswer(await askModel(deps, ask, signal), signal, (text) => {
    const answer = readObject(text, "data");
    return usageOfImages(answer, String(given.request["prompt"] ?? ""));
  });
}

/** Judges texts and images. Source: OpenAI API reference, moderations. */
export async function moderate(deps: TaskDeps, given: ToModel, signal: AbortSignal) {
  const ask: Ask = {
    ...jsonAsk(given, "/moderations"),
    kind: "moderation",
    maxAnswerBytes: MAX_TEXT_BYTES,
  };
  return wholeAnswer(await askModel(deps, ask, signal), signal, (text) => {
    readObject(text, "results");
    return usageOfText(textIn(given.request["input"]));
  });
}

/** Writes down a recording. Source: OpenAI API reference, audio. */
export async function transcribe(
  deps: TaskDeps,
  { model, userId, task, fields, name, type }: RecordingHead,
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
) {
  const ask: Ask = {
    kind: "transcription",
    model,
    userId,
    path: `/audio/${task}`,
    maxAnswerBytes: MAX_TEXT_BYTES,
    body(target) {
      const form = new FormData();
      form.set("file", new Blob([bytes], { type }), name);
      for (const [field, value] of Object.entries(fields))
        // a name with [] stands for a list
        for (const one of field.endsWith("[]") ? value.split(",") : [value])
          form.append(field, one);
      form.set("model", target);
      return { body: form };
    },
  };
  const isText = ["text", "srt", "vtt"].includes(fields["response_format"] ?? "");
  return wholeAnswer(
    await askModel(deps, ask, signal),
    signal,
    (text) => {
      const answer = isText ? undefined : readObject(text);
      const said = typeof answer?.["text"] === "string" ? answer["text"] : text;
      return usageOfRecording(answer, said, bytes.byteLength);
    },
    isText ? "text/plain; charset=utf-8" : undefined,
  );
}

const SOUNDS: Record<string, string> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
};

/** Speaks. The sound is passed on while it arrives. Source: OpenAI API reference, audio. */
export async function speak(deps: TaskDeps, given: ToModel, signal: AbortSignal) {
  const ask: Ask = {
    ...jsonAsk(given, "/audio/speech"),
    kind: "speech",
    maxAnswerBytes: MAX_SPEECH_BYTES,
  };
  const answer = await askModel(deps, ask, signal);
  const usage = usageOfText(textIn(given.request["input"]));
  const type = answer.response.headers.get("content-type") ?? "";
  const format = String(given.request["response_format"] ?? "mp3");
  return new Response(passedOn(answer, usage), {
    headers: {
      "content-type": type.startsWith("audio/") ? type : (SOUNDS[format] ?? "audio/mpeg"),
    },
  });
}

/** Cancelled at once when nobody reads it any more: a generator would wait for its next chunk. */
function passedOn(
  { response, finish, toFailure }: Answer,
  usage: TaskUsage,
): ReadableStream<Uint8Array> {
  const reader = response.body?.getReader();
  let isOver = false;
  const end = async (how: "stop" | "cancelled" | "error") => {
    if (isOver) return false;
    isOver = true;
    await finish(usage, how);
    return true;
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await reader?.read();
        if (next && !next.done) controller.enqueue(next.value);
        else if (await end("stop")) controller.close();
      } catch (error) {
        if (await end("error")) controller.error(toFailure(error));
      }
    },
    async cancel(reason) {
      const ended = end("cancelled");
      await reader?.cancel(reason);
      await ended;
    },
  });
}

function jsonAsk({ model, request, userId }: ToModel, path: string) {
  return {
    model,
    userId,
    path,
    body: (target: string) => ({
      type: "application/json",
      body: JSON.stringify({ ...request, model: target }),
    }),
  };
}

/** An answer that is checked before it is passed on; the provider charged for it either way. */
async function wholeAnswer(
  { response, finish, toFailure }: Answer,
  signal: AbortSignal,
  read: (text: string) => TaskUsage,
  type = "application/json",
): Promise<Response> {
  let usage: TaskUsage = { inputTokens: 0, outputTokens: 0, estimated: true };
  let end: "stop" | "cancelled" | "error" = "error";
  try {
    const text = await response.text();
    usage = read(text);
    end = "stop";
    return new Response(text, { headers: { "content-type": type } });
  } catch (error) {
    if (signal.aborted) end = "cancelled";
    throw toFailure(error);
  } finally {
    await finish(usage, end);
  }
}

/** @throws ProviderFailure `provider_invalid` for anything but an object, with this list in it. */
function readObject(text: string, list?: string): Record<string, unknown> {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    throw invalidFailure(error);
  }
  if (!isRecord(answer)) throw invalidFailure();
  if (list !== undefined && !Array.isArray(answer[list])) throw invalidFailure();
  return answer;
}

/** The characters of a text, a list of texts, or parts, of which an image counts as a page. */
function textIn(input: unknown): number {
  if (typeof input === "string") return input.length;
  if (Array.isArray(input)) return input.reduce((sum: number, one) => sum + textIn(one), 0);
  if (!isRecord(input)) return 0;
  return typeof input["text"] === "string" ? input["text"].length : CHARACTERS_PER_IMAGE;
}

const CHARACTERS_PER_IMAGE = 4_000;
