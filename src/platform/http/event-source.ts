import type { Emit } from "../batches.ts";
import type { TextSource } from "./joined-text.ts";
import { StreamResponse } from "./stream.ts";
import { parseJson } from "../json/json-limits.ts";
import { BadGateway } from "./errors.ts";

/** The events of an answer, of the types that its contract declares. */
export interface EventSource {
  /**
   * Passes on all events, and resolves at the end or when it is cancelled. An empty batch stands
   * for a sign of life.
   */
  deliver(emit: Emit<object[]>): Promise<void>;
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
      deliver: (emit) => response.deliver(events, (batch) => emit(batch.slice())),
      cancel: () => response.cancel(),
      isKeptAlive: events.isKeptAlive,
    };
  const source = textOf(response);
  if (source === undefined) return undefined;
  const parser = response.headers.get("content-type")?.includes("ndjson")
    ? ndjsonParser()
    : sseParser();
  return {
    async deliver(emit) {
      for (let text = await source.next(); text !== undefined; text = await source.next()) {
        const events = parser.push(text).map((event) => parse(event) as object); // an event is one
        const wait = emit(events);
        if (wait) await wait;
      }
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

/** Converts the text of a stream into events, piece by piece. */
interface StreamParser {
  /** Returns the events that this text completes. */
  push(text: string): object[];
}

/** The maximum length of a line. A longer one means that the sender is broken or hostile. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** The last event of a run contains its messages. */
const MAX_EVENT_VALUES = 50_000;

function ndjsonParser(): StreamParser {
  const lines = lineSplitter();
  return {
    push(text) {
      const events: object[] = [];
      for (const line of lines(text)) if (line !== "") events.push(parseEvent(line));
      return events;
    },
  };
}

/** Restores the name from `event:` as `type` (WHATWG HTML, server-sent events). */
function sseParser(): StreamParser {
  const lines = lineSplitter();
  let type = "";
  let data = "";
  return {
    push(text) {
      const events: object[] = [];
      for (const line of lines(text)) {
        if (line === "") {
          if (data !== "") events.push({ type, ...parseEvent(data) });
          type = "";
          data = "";
        } else if (line.startsWith("data:")) {
          data += (data && "\n") + line.slice(line[5] === " " ? 6 : 5);
        } else if (line.startsWith("event:")) {
          type = line.slice(line[6] === " " ? 7 : 6);
        }
      }
      return events;
    },
  };
}

function parseEvent(text: string): object {
  return parseJson(text, { maxValues: MAX_EVENT_VALUES }) as object; // checked by its reader's schema
}

function lineSplitter(): (text: string) => string[] {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new BadGateway(
        "upstream_invalid",
        "A service sent a line without end; its answer was dropped. Try again; if this " +
          "repeats, ask the operator to read its log.",
      );
    return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  };
}
