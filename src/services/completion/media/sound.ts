import type { RecordingHead, ToModel } from "../contract-media.ts";
import {
  type Answer,
  type Ask,
  askMediaModel,
  type MediaDeps,
  type MediaUsage,
} from "./ask-media-model.ts";
import { passedPieces } from "./passed-pieces.ts";
import { type Events, eventAnswer } from "./event-answer.ts";
import type { FormFile } from "./read-form.ts";
import { textIn, usageOfRecording, usageOfSpeech, usageOfText } from "./read-usage.ts";
import { readObject } from "./read-object.ts";
import { wholeAnswer } from "./whole-answer.ts";

const MEBIBYTE = 1024 * 1024;
/** Two hours of speech. */
const MAX_SPEECH_BYTES = 128 * MEBIBYTE;
const MAX_TEXT_BYTES = 16 * MEBIBYTE;

/** Writes down a recording. Source: OpenAI API reference, audio. */
export async function transcribe(
  deps: MediaDeps,
  { model, userId, labels, task, fields }: RecordingHead,
  files: readonly FormFile[],
  signal: AbortSignal,
): Promise<Response> {
  const ask: Ask = {
    kind: "transcription",
    model,
    userId,
    labels,
    path: `/audio/${task}`,
    maxAnswerBytes: MAX_TEXT_BYTES,
    content: { fields, files },
    isSlow: true,
  };
  const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
  const isText = ["text", "srt", "vtt"].includes(fields["response_format"] ?? "");
  return askMediaModel(deps, ask, signal, async (answer) => {
    if (fields["stream"] === "true") return eventAnswer(answer, transcriptEvents(bytes));
    return wholeAnswer(
      answer,
      (text) => {
        const read = isText ? undefined : readObject(text);
        return usageOfRecording(read, textOf(read) ?? text, bytes);
      },
      isText ? "text/plain; charset=utf-8" : undefined,
    );
  });
}

function transcriptEvents(bytes: number): Events {
  const last = "transcript.text.done";
  return {
    last,
    usageOf: ([done = {}]) => usageOfRecording(done, textOf(done) ?? "", bytes),
    fromWhole: (answer) => [{ ...answer, type: last, text: textOf(answer) ?? "" }],
  };
}

function textOf(answer: Record<string, unknown> | undefined): string | undefined {
  const text = answer?.["text"];
  return typeof text === "string" ? text : undefined;
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
export async function speak(
  deps: MediaDeps,
  { model, request, userId, labels }: ToModel,
  signal: AbortSignal,
): Promise<Response> {
  const inEvents = request["stream_format"] === "sse";
  const ask: Ask = {
    kind: "speech",
    model,
    userId,
    labels,
    path: "/audio/speech",
    content: { json: inEvents ? request : withoutFormat(request) },
    maxAnswerBytes: MAX_SPEECH_BYTES,
    isSlow: false,
  };
  const usage = usageOfText(textIn(request["input"]));
  return askMediaModel(deps, ask, signal, async (answer) => {
    if (inEvents) return eventAnswer(answer, speechEvents(usage));
    const type = answer.response.headers.get("content-type") ?? "";
    const format = String(request["response_format"] ?? "mp3");
    return new Response(await passedOn(answer, usage), {
      headers: {
        "content-type": type.startsWith("audio/") ? type : (SOUNDS[format] ?? "audio/mpeg"),
      },
    });
  });
}

/** Servers that know no events may not know the field either, whose other value is the default. */
function withoutFormat({ stream_format: _, ...request }: ToModel["request"]) {
  return request;
}

/** Of a server that sends sound alone, each piece of it is an event. */
function speechEvents(estimate: MediaUsage): Events {
  const last = "speech.audio.done";
  const { inputTokens: input_tokens, outputTokens: output_tokens } = estimate;
  const usage = { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
  return {
    last,
    usageOf: ([done]) => usageOfSpeech(done?.["usage"], estimate),
    fromWhole: () => [],
    fromBytes: {
      event: (bytes) => ({
        type: "speech.audio.delta",
        audio: Buffer.from(bytes).toString("base64"),
      }),
      end: () => ({ type: last, usage }),
    },
  };
}

/** The sound, once it begins. @throws what keeps it from beginning. */
async function passedOn(answer: Answer, usage: MediaUsage): Promise<ReadableStream> {
  const reader = answer.response.body?.getReader();
  return passedPieces(answer, {
    async next() {
      const read = await reader?.read();
      return read && !read.done ? read.value : undefined;
    },
    cancel: async (reason) => reader?.cancel(reason),
    usage: () => usage,
  });
}
