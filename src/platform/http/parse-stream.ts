import { parseJson } from "../json/json-limits.ts";
import { BadGateway } from "./errors.ts";

/** Turns the text of a stream into events, chunk by chunk. */
export interface StreamParser {
  /** Events that are complete with this text. */
  push(text: string): object[];
}

/** One line may be this long; a longer one means that the sender is broken or hostile. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** An event that ends a run holds its messages. */
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

/** Puts the `event:` name back as `type`. Source: WHATWG HTML, server-sent events. */
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
        "A service sent a line without end; its answer was dropped.",
      );
    return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  };
}
