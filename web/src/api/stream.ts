import type { AnyRoute, RouteEvent, RouteInput } from "../../../src/platform/http/route.ts";
import { toNetworkFailure } from "./failure.ts";
import { EventParser, type RawEvent } from "./parse-events.ts";
import { type AnyInput, request, type RequestOptions } from "./request.ts";

/** An event of a stream, with the id from which a client resumes. */
export interface Streamed<Event> {
  event: Event;
  id: string | undefined;
}

/** A stream sends a comment every 15 seconds: longer silence means that the connection is dead. */
const SILENCE_MS = 45_000;

/**
 * Reads the events of a route. Ends when the server ends the stream.
 * @throws Failure when the connection ends early: resume with the header `last-event-id`.
 */
export async function* stream<R extends AnyRoute>(
  route: R,
  input: RouteInput<R>,
  options: RequestOptions = {},
): AsyncGenerator<Streamed<RouteEvent<R>>[]> {
  const silence = new AbortController();
  const signals = options.signal ? [options.signal, silence.signal] : [silence.signal];
  const signal = AbortSignal.any(signals);
  const headers = { accept: "text/event-stream", ...options.headers };
  const response = await request(route, input as AnyInput, { ...options, headers, signal });
  const parser = new EventParser();
  try {
    for await (const text of textOf(response, silence)) {
      const events = parser.add(text).map((raw) => toEvent<RouteEvent<R>>(raw));
      if (events.length > 0) yield events;
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    throw toNetworkFailure(error);
  }
}

async function* textOf(
  response: Response,
  silence: AbortController,
): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  try {
    while (true) {
      const timer = setTimeout(
        () => silence.abort(new DOMException("", "TimeoutError")),
        SILENCE_MS,
      );
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    // a reader that leaves early ends the request
    await reader.cancel().catch(() => {});
  }
}

function toEvent<Event>({ type, data, id }: RawEvent): Streamed<Event> {
  const fields = JSON.parse(data) as object; // our streams send JSON objects
  return { event: { ...fields, type } as Event, id };
}
