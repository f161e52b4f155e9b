import { ApiError, BadGateway } from "../../../platform/http/errors.ts";
import { isRecord } from "../../../platform/json/is-record.ts";
import { errorBody } from "../../core/openai-api/contract-errors.ts";
import { errorFailure } from "../explain-refusal.ts";
import { Lines } from "../openai/event-lines.ts";
import { cutFailure, invalidFailure } from "../provider-failures.ts";
import type { Answer, TaskUsage } from "./ask-model.ts";
import { readObject } from "./read-object.ts";

/** How a task answers in events. Source: OpenAI API reference, streaming events. */
export interface Events {
  /** The type of those that end a part of the work; an answer without one was cut. */
  last: string;
  /** What the last events say that was used. */
  usageOf(last: readonly Record<string, unknown>[]): TaskUsage;
  /** The last events of an answer that came whole: not every server streams. */
  fromWhole(answer: Record<string, unknown>): object[];
  /** Of an answer that is no text: an event for each piece, and at its end the last one. */
  fromBytes?: { event(bytes: Uint8Array): object; end(): object };
}

/** An event holds a picture at most. */
const MAX_LINE_CHARACTERS = 32 * 1024 * 1024;
const PICTURE = '"b64_json"';

type End = "stop" | "cancelled" | "error";

/**
 * Passes the events of a provider on while they arrive. A failure is the last event, in the form of
 * OpenAI's errors.
 */
export function eventAnswer(answer: Answer, events: Events): Response {
  const { response, finish, toFailure } = answer;
  const type = response.headers.get("content-type") ?? "";
  const reader = response.body?.getReader();
  const pieces = type.includes("event-stream")
    ? passedEvents(reader, events)
    : events.fromBytes
      ? bytesAsEvents(reader, events.fromBytes)
      : wholeAsEvents(reader, events);
  const encoder = new TextEncoder();
  const last: Record<string, unknown>[] = [];
  let isOver = false;
  const end = async (how: End) => {
    if (isOver) return false;
    isOver = true;
    await finish(events.usageOf(last), how);
    return true;
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await pieces.next();
        if (next.done) {
          if (last.length === 0) throw cutFailure();
          if (await end("stop")) controller.close();
          return;
        }
        const { text, event } = next.value;
        if (event?.["type"] === events.last) last.push(event);
        controller.enqueue(encoder.encode(text));
      } catch (error) {
        if (!(await end("error"))) return;
        controller.enqueue(encoder.encode(failureText(toFailure(error))));
        controller.close();
      }
    },
    async cancel(reason) {
      const ended = end("cancelled");
      await reader?.cancel(reason);
      await ended;
    },
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
  });
}

interface Piece {
  text: string;
  /** Without its picture. */
  event?: Record<string, unknown>;
}

type Reader = ReadableStreamDefaultReader<Uint8Array> | undefined;

async function* passedEvents(reader: Reader, { last }: Events): AsyncGenerator<Piece> {
  const lines = new Lines(MAX_LINE_CHARACTERS);
  for await (const text of textsOf(reader)) {
    const found: string[] = [];
    lines.push(text, (line) => found.push(line));
    for (const line of found) {
      if (!line.startsWith("data:")) continue;
      const data = line.slice("data:".length).trim();
      if (data === "" || data === "[DONE]") continue;
      const event = readEvent(data);
      if (event["error"] || event["type"] === "error")
        throw errorFailure(event["error"] || event);
      // the usage is wanted of the last alone, the type of all
      yield { text: toText(String(event["type"] ?? last), data), event };
    }
  }
}

async function* wholeAsEvents(
  reader: Reader,
  { fromWhole }: Events,
): AsyncGenerator<Piece> {
  const texts: string[] = [];
  for await (const text of textsOf(reader)) texts.push(text);
  for (const event of fromWhole(readObject(texts.join("")))) {
    const data = JSON.stringify(event);
    const read = readEvent(data);
    yield { text: toText(String(read["type"]), data), event: read };
  }
}

async function* bytesAsEvents(
  reader: Reader,
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

/** With a line end, so that the last line is whole. */
async function* textsOf(reader: Reader): AsyncGenerator<string> {
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

function failureText(error: unknown): string {
  const failure =
    error instanceof ApiError
      ? error
      : new BadGateway("provider_failed", "The model's provider failed. Try again.");
  return toText("error", JSON.stringify(errorBody(failure)));
}
