import { BadGateway } from "../../platform/http/errors.ts";
import { JsonLimitExceeded, parseJson } from "../../platform/json/json-limits.ts";

/** Values in one message: a list of a thousand tools, or a result. */
export const MAX_MESSAGE_VALUES = 50_000;

/** @throws BadGateway `tool_failed` when it holds too much JSON, SyntaxError when it is none. */
export function parseMessage(text: string): unknown {
  try {
    return parseJson(text, { maxValues: MAX_MESSAGE_VALUES });
  } catch (error) {
    if (!(error instanceof JsonLimitExceeded)) throw error;
    const why = error.code === "json_too_deep" ? "is nested too deep" : "holds too many values";
    throw new BadGateway("tool_failed", `The tool's answer ${why} to be read.`);
  }
}

/**
 * Reads JSON-RPC messages from server-sent events as they arrive. Source: WHATWG HTML, server-sent
 * events; MCP, streamable HTTP.
 */
export class MessageReader {
  /** Of the last event that had one: from here the server can go on in another stream. */
  lastEventId: string | undefined;
  /** How long it wants to be left alone before that, in ms. */
  retryMs = 1_000;
  readonly #decoder = new TextDecoder();
  #unended: string[] = [];
  #data: string[] = [];

  /** Messages that are complete with this chunk. @throws what `parseMessage` throws. */
  push(chunk: Uint8Array): unknown[] {
    const lines = this.#decoder.decode(chunk, { stream: true }).split("\n");
    // joined once, however many chunks a line comes in
    this.#unended.push(lines[0] ?? "");
    if (lines.length === 1) return [];
    lines[0] = this.#unended.join("");
    this.#unended = [lines.pop() ?? ""];
    const messages: unknown[] = [];
    for (const line of lines) {
      const [field, value] = fieldOf(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (field === "data") this.#data.push(value);
      else if (field === "id") this.lastEventId = value;
      else if (field === "retry" && /^\d{1,6}$/.test(value)) this.retryMs = Number(value);
      else if (field === "" && value === "") {
        const data = this.#data.join("\n");
        this.#data = [];
        if (data !== "") messages.push(parseMessage(data));
      }
    }
    return messages;
  }
}

function fieldOf(line: string): [field: string, value: string] {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  return [line.slice(0, colon) || ":", line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1)];
}
