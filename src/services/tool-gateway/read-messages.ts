import { BadGateway } from "../../platform/http/errors.ts";
import { JsonLimitExceeded, parseJson } from "../../platform/json/json-limits.ts";

/** Otherwise a server could make a call begin one stream after the other without a pause. */
const MIN_RETRY_MS = 100;
/** Values in one message: a list of a thousand tools, or a result. */
export const MAX_MESSAGE_VALUES = 50_000;

/** @throws BadGateway `tool_failed` for too much JSON, SyntaxError for text that is not JSON. */
export function parseMessage(text: string): unknown {
  try {
    return parseJson(text, { maxValues: MAX_MESSAGE_VALUES });
  } catch (error) {
    if (!(error instanceof JsonLimitExceeded)) throw error;
    const problem =
      error.code === "json_too_deep" ? "is nested too deep" : "holds too many values";
    throw new BadGateway(
      "tool_failed",
      `The answer of the tool ${problem}. Ask it for less.`,
    );
  }
}

/**
 * Reads JSON-RPC messages from server-sent events as they arrive. Source: WHATWG HTML, server-sent
 * events; Model Context Protocol, streamable HTTP.
 */
export class MessageReader {
  /** The last event id. The server can continue after it in another stream. */
  lastEventId: string | undefined;
  /** How long the server asks to wait before that, in ms. */
  retryMs = 1_000;
  readonly #decoder = new TextDecoder();
  #unfinishedLine: string[] = [];
  #data: string[] = [];

  /** Messages that this chunk completes. @throws what `parseMessage` throws. */
  push(chunk: Uint8Array): unknown[] {
    const lines = this.#decoder.decode(chunk, { stream: true }).split("\n");
    // the parts of a line are joined once, in however many chunks it arrives
    this.#unfinishedLine.push(lines[0] ?? "");
    if (lines.length === 1) return [];
    lines[0] = this.#unfinishedLine.join("");
    this.#unfinishedLine = [lines.pop() ?? ""];
    const messages: unknown[] = [];
    for (const line of lines) {
      const [field, value] = parseField(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (field === "data") this.#data.push(value);
      else if (field === "id") this.lastEventId = value;
      else if (field === "retry" && /^\d{1,6}$/.test(value))
        this.retryMs = Math.max(MIN_RETRY_MS, Number(value));
      else if (field === "" && value === "") {
        const data = this.#data.join("\n");
        this.#data = [];
        if (data !== "") messages.push(parseMessage(data));
      }
    }
    return messages;
  }

  /** The last message, of a stream that ended without its empty line. */
  end(): unknown[] {
    try {
      return this.push(Buffer.from("\n\n"));
    } catch (error) {
      if (error instanceof SyntaxError) return []; // cut
      throw error;
    }
  }
}

function parseField(line: string): [field: string, value: string] {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  return [
    line.slice(0, colon) || ":",
    line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1),
  ];
}
