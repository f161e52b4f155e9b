import { ApiError, BadGateway } from "../../../platform/http/errors.ts";
import { isRecord } from "../../../platform/json/is-record.ts";
import { errorBody } from "../../core/openai-api/contract-errors.ts";
import { errorFailure } from "../explain-refusal.ts";
import { Lines } from "../openai-client/event-lines.ts";
import { cutFailure, invalidFailure } from "../provider-failures.ts";
import type { Answer, MediaUsage } from "./ask-media-model.ts";
import { passedPieces } from "./passed-pieces.ts";
import { readObject } from "./read-object.ts";

/** How a request is answered in events. Source: OpenAI API reference, streaming events. */
export interface Events {
  /** The type of those that end a part of the work; an answer without one was cut. */
  last: string;
  /** What the last events say that was used. */
  usageOf(last: readonly Record<string, unknown>[]): MediaUsage;
  /** The last events of an answer that came whole: not every server streams. */
  fromWhole(answer: Record<string, unknown>): object[];
  /** Of an answer that is no text: an event for each piece, and at its end the last one. */
  fromBytes?: { event(bytes: Uint8Array): object; end(): object };
}

/** An event holds a picture at most. */
const MAX_LINE_CHARACTERS = 32 * 1024 * 1024;
const PICTURE = '"b64_json"';

/** How an answer is passed on in pieces. */
interface Passing {
  pieces(reader: PieceReader): AsyncGenerator<Piece>;
  /** Whether the answer has come to its end; one without it was cut. */
  isWhole(): boolean;
  usage(): MediaUsage;
  /** The last piece of an answer that failed. */
  failure(error: ApiError): string;
}

/**
 * Passes the events of a provider on while they arrive. A failure is the last event, in the form of
 * OpenAI's errors.
 */
export async function eventAnswer(answer: Answer, events: Events): Promise<Response> {
  const type = answer.response.headers.get("content-type") ?? "";
  const last: Record<string, unknown>[] = [];
  const piecesOf = (reader: PieceReader) => {
    if (type.includes("event-stream")) return passedEvents(reader, events);
    return events.fromBytes
      ? bytesAsEvents(reader, events.fromBytes)
      : wholeAsEvents(reader, events);
  };
  async function* pieces(reader: PieceReader): AsyncGenerator<Piece> {
    for await (const piece of piecesOf(reader)) {
      const { event } = piece;
      if (event?.["type"] === events.last) last.push(event);
      yield piece;
    }
  }
  return streamedAnswer(answer, {
    pieces,
    isWhole: () => last.length > 0,
    usage: () => events.usageOf(last),
    failure: (error) => toText("error", JSON.stringify(errorBody(error))),
  });
}

/**
 * Passes an answer on in pieces, while they arrive, from the first on.
 * @throws what keeps it from beginning.
 */
export async function streamedAnswer(answer: Answer, passing: Passing): Promise<Response> {
  const reader = answer.response.body?.getReader();
  const pieces = passing.pieces(reader);
  const encoder = new TextEncoder();
  const body = await passedPieces(answer, {
    async next() {
      const next = await pieces.next();
      if (!next.done) return encoder.encode(next.value.text);
      if (!passing.isWhole()) throw cutFailure();
      return undefined;
    },
    cancel: async (reason) => reader?.cancel(reason),
    usage: () => passing.usage(),
    failure: (error) => encoder.encode(passing.failure(toApiError(error))),
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
  });
}

export interface Piece {
  text: string;
  /** Without its picture. */
  event?: Record<string, unknown>;
}

export type PieceReader = ReadableStreamDefaultReader<Uint8Array> | undefined;

async function* passedEvents(reader: PieceReader, { last }: Events): AsyncGenerator<Piece> {
  for await (const data of eventData(reader, new Lines(MAX_LINE_CHARACTERS))) {
    const event = readEvent(data);
    if (event["error"] || event["type"] === "error")
      throw errorFailure(event["error"] || event);
    // the usage is wanted of the last alone, the type of all
    yield { text: toText(String(event["type"] ?? last), data), event };
  }
}

/** The data of each event, which the lines bound; without the mark of the end. */
export async function* eventData(
  reader: PieceReader,
  lines = new Lines(),
): AsyncGenerator<string> {
  for await (const text of textsOf(reader)) {
    const found: string[] = [];
    lines.push(text, (line) => found.push(line));
    for (const line of found) {
      if (!line.startsWith("data:")) continue;
      const data = line.slice("data:".length).trim();
      if (data !== "" && data !== "[DONE]") yield data;
    }
  }
}

async function* wholeAsEvents(
  reader: PieceReader,
  { fromWhole }: Events,
): AsyncGenerator<Piece> {
  for (const event of fromWhole(readObject(await textOf(reader)))) {
    const data = JSON.stringify(event);
    const read = readEvent(data);
    yield { text: toText(String(read["type"]), data), event: read };
  }
}

async function* bytesAsEvents(
  reader: PieceReader,
  { event, end }: NonNullable<Events["fromBytes"]>,
): AsyncGenerator<Piece> {
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) break;
    if (value && value.byteLength > 0) yield toPiece(event(value));
  }
  yield toPiece(end());
}

function toPiece(written: object): Piece {
  const event: Record<string, unknown> = { ...written };
  return { text: toText(String(event["type"]), JSON.stringify(written)), event };
}

/** Of an answer that came whole. */
export async function textOf(reader: PieceReader): Promise<string> {
  let text = "";
  for await (const piece of textsOf(reader)) text += piece;
  return text;
}

/** With a line end, so that the last line is whole. */
async function* textsOf(reader: PieceReader): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) break;
    yield decoder.decode(value, { stream: true });
  }
  yield `${decoder.decode()}\n`;
}

function toText(type: string, data: string): string {
  return `event: ${type}\ndata: ${data}\n\n`;
}

/** Parsing megabytes of base64 would take long, and nothing reads them here. */
function readEvent(data: string): Record<string, unknown> {
  const at = data.indexOf(PICTURE);
  const begin = at < 0 ? -1 : data.indexOf('"', at + PICTURE.length);
  const end = begin < 0 ? -1 : data.indexOf('"', begin + 1);
  const rest = end < 0 ? data : data.slice(0, begin + 1) + data.slice(end);
  let event: unknown;
  try {
    event = JSON.parse(rest);
  } catch (error) {
    throw invalidFailure(error);
  }
  if (!isRecord(event)) throw invalidFailure();
  return event;
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new BadGateway("provider_failed", "The model's provider failed. Try again.");
}
