import type { TextSource } from "./joined-text.ts";
import { ndjsonParser, sseParser } from "./parse-stream.ts";
import { StreamResponse } from "./stream.ts";

/** The events of an answer, of the types that its contract declares. */
export interface EventSource {
  /** An empty batch stands for a sign of life. */
  next(): Promise<object[] | undefined>;
  cancel(): void;
  /** Whether it says at intervals that it goes on, which a reader of objects does not see. */
  isKeptAlive: boolean;
}

/**
 * A stream of this process hands over its events as they are: the same program has made them. Those
 * of any other arrive as bytes, and are parsed by the contract's schema.
 * @returns undefined for an answer without a body.
 */
export function eventsOf(
  response: Response,
  parse: (event: object) => unknown,
): EventSource | undefined {
  const events = response instanceof StreamResponse ? response.events : undefined;
  if (response instanceof StreamResponse && events)
    return {
      // a batch belongs to its reader, who may change the list
      next: async () => (await response.nextBatch(events))?.slice(),
      cancel: () => response.cancel(),
      isKeptAlive: events.isKeptAlive,
    };
  const source = textOf(response);
  if (source === undefined) return undefined;
  const parser = response.headers.get("content-type")?.includes("ndjson")
    ? ndjsonParser()
    : sseParser();
  return {
    async next() {
      const text = await source.next();
      if (text === undefined) return undefined;
      const parsed = parser.push(text);
      return parsed.map((event) => parse(event) as object); // an event is one
    },
    cancel: () => source.cancel(),
    isKeptAlive: false,
  };
}

/** A stream of this process provides text; any other provides bytes. */
function textOf(response: Response): TextSource | undefined {
  if (response instanceof StreamResponse) return response;
  const reader = response.body?.getReader();
  if (reader === undefined) return undefined;
  const decoder = new TextDecoder();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? undefined : decoder.decode(value, { stream: true });
    },
    // nobody reads on: a failure to end the body matters to nobody
    cancel: () => void reader.cancel().catch(() => {}),
  };
}
