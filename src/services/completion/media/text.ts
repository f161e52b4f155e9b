import { uuidv7 } from "uuidv7";
import { isRecord } from "../../../platform/json/is-record.ts";
import { errorBody } from "../../core/openai-api/contract-errors.ts";
import type { TextToModel } from "../contract-media.ts";
import { errorFailure } from "../explain-refusal.ts";
import {
  type Answer,
  type Ask,
  askMediaModel,
  type MediaDeps,
  type MediaUsage,
} from "./ask-media-model.ts";
import {
  type Piece,
  type PieceReader,
  eventData,
  streamedAnswer,
  textOf,
} from "./event-answer.ts";
import { usageOfWriting } from "./read-usage.ts";
import { readObject } from "./read-object.ts";
import { wholeAnswer } from "./whole-answer.ts";

/** Of 64 texts with what the likeliest tokens were. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** Of a token, when a prompt is sent as tokens. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Continues texts by OpenAI's older API, which servers of open models have. Source: OpenAI API
 * reference, completions.
 */
export async function writeText(
  deps: MediaDeps,
  { model, shownModel = model, request, userId, labels }: TextToModel,
  signal: AbortSignal,
): Promise<Response> {
  const isStream = request["stream"] === true;
  const options = request["stream_options"];
  const ask: Ask = {
    kind: "completion",
    model,
    userId,
    labels,
    path: "/completions",
    // the usage is always wanted here
    content: {
      json: isStream ? { ...request, stream_options: { include_usage: true } } : request,
    },
    maxAnswerBytes: MAX_ANSWER_BYTES,
    isSlow: !isStream,
  };
  return askMediaModel(deps, ask, signal, async (answer) => {
    const writing: Writing = {
      shownModel: answer.answeredBy?.model ?? shownModel,
      showsUsage: isRecord(options) && options["include_usage"] === true,
      read: charactersIn(request["prompt"]),
      written: 0,
      isWhole: false,
      usage: undefined,
    };
    return isStream ? inPieces(answer, writing) : asWhole(answer, writing);
  });
}

function inPieces(answer: Answer, writing: Writing): Promise<Response> {
  const isEvents = answer.response.headers.get("content-type")?.includes("event-stream");
  const read = isEvents ? piecesOf : wholeAsPieces;
  return streamedAnswer(answer, {
    pieces: (reader) => read(reader, writing),
    isWhole: () => writing.isWhole,
    usage: () => usageOf(writing),
    failure: (error) => `data: ${JSON.stringify(errorBody(error))}\n\n`,
  });
}

async function asWhole(answer: Answer, writing: Writing): Promise<Response> {
  let shown = {};
  const { headers } = await wholeAnswer(answer, (text) => {
    shown = toShown(readObject(text, "choices"), writing);
    return usageOf(writing);
  });
  return Response.json(shown, { headers });
}

interface Writing {
  shownModel: string;
  showsUsage: boolean;
  /** Characters of the prompts, and of what was written. */
  read: number;
  written: number;
  isWhole: boolean;
  /** As the provider says it. */
  usage: unknown;
}

function usageOf({ usage, read, written }: Writing): MediaUsage {
  return usageOfWriting(usage, read, written);
}

/** An answer, or a part of it, in OpenAI's form, whatever the server leaves out. */
function toShown(answer: Record<string, unknown>, writing: Writing): object {
  const choices = (Array.isArray(answer["choices"]) ? answer["choices"] : []).filter(
    isRecord,
  );
  const { usage } = answer;
  if (isRecord(usage)) writing.usage = usage;
  for (const { text, finish_reason: finish } of choices) {
    if (typeof text === "string") writing.written += text.length;
    if (finish) writing.isWhole = true;
  }
  return {
    ...answer,
    id: typeof answer["id"] === "string" ? answer["id"] : `cmpl-${uuidv7()}`,
    object: "text_completion",
    created: Number.isSafeInteger(answer["created"])
      ? answer["created"]
      : Math.floor(Date.now() / 1_000),
    model: writing.shownModel,
    choices: choices.map((choice, at) => ({
      ...choice,
      text: typeof choice["text"] === "string" ? choice["text"] : "",
      index: Number.isSafeInteger(choice["index"]) ? choice["index"] : at,
      logprobs: isRecord(choice["logprobs"]) ? choice["logprobs"] : null,
      finish_reason:
        typeof choice["finish_reason"] === "string" ? choice["finish_reason"] : null,
    })),
  };
}

const DONE: Piece = { text: "data: [DONE]\n\n" };

async function* piecesOf(reader: PieceReader, writing: Writing): AsyncGenerator<Piece> {
  for await (const data of eventData(reader)) {
    const chunk = readObject(data);
    if (chunk["error"]) throw errorFailure(chunk["error"]);
    const shown = toShown(chunk, writing);
    const isUsage = Array.isArray(chunk["choices"]) && chunk["choices"].length === 0;
    if (!isUsage || writing.showsUsage) yield toPiece(shown);
  }
  if (writing.isWhole) yield DONE;
}

/** Of a server that does not stream. */
async function* wholeAsPieces(
  reader: PieceReader,
  writing: Writing,
): AsyncGenerator<Piece> {
  yield toPiece(toShown(readObject(await textOf(reader), "choices"), writing));
  writing.isWhole = true;
  yield DONE;
}

function toPiece(shown: object): Piece {
  return { text: `data: ${JSON.stringify(shown)}\n\n` };
}

/** The characters of a prompt, or of several, which may be tokens. */
function charactersIn(prompt: unknown): number {
  if (typeof prompt === "string") return prompt.length;
  if (typeof prompt === "number") return CHARACTERS_PER_TOKEN;
  if (!Array.isArray(prompt)) return 0;
  return prompt.reduce((sum: number, one) => sum + charactersIn(one), 0);
}
