import { parseJson } from "../json/json-limits.ts";
import { BadGateway } from "./errors.ts";

/** Converts the text of a stream into events, piece by piece. */
export interface StreamParser {
  /** Returns the events that this text completes. */
  push(text: string): object[];
}

/** The maximum length of a line. A longer one means that the sender is broken or hostile. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** The last event of a run contains its messages. */
const MAX_EVENT_VALUES = 50_000;

export function ndjsonParser(): StreamParser {
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
export function sseParser(): StreamParser {
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
