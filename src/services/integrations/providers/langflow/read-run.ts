import { z } from "zod";
import { BadGateway } from "../../../../platform/http/errors.ts";
import { parseJson } from "../../../../platform/json/json-limits.ts";
import type { Logger } from "../../../../platform/telemetry/log.ts";
import type { RunPart } from "../provider.ts";
import { readOutput } from "./read-output.ts";

const Event = z.object({ event: z.string(), data: z.unknown() });
const Token = z.object({ chunk: z.string(), id: z.string().optional() });
const Message = z.object({
  id: z.string().optional(),
  sender: z.string().optional(),
  text: z.string(),
});
const End = z.object({ result: z.unknown() });

/** The maximum number of characters of one event. */
const MAX_LINE_CHARACTERS = 8 * 2 ** 20;
/** The last event contains the outputs of every component. */
const MAX_EVENT_VALUES = 100_000;

/**
 * The events of a run as they arrive (see Langflow's `lfx/events/event_manager.py`). Despite the
 * type `text/event-stream` they are JSON, one object per line. A token extends its message; a
 * message replaces its earlier text. Other events are ignored.
 * @throws BadGateway `flow_failed` for an error event; `flow_cut` if the stream ends without `end`
 * or `error`.
 */
export async function* readRun(
  stream: ReadableStream<Uint8Array>,
  log: Logger,
): AsyncGenerator<RunPart[]> {
  const seen = new SeenMessages();
  for await (const lines of linesOf(stream)) {
    const batch: RunPart[] = [];
    for (const line of lines) {
      const { event, data } = parseEvent(line);
      if (event === "error") {
        log.debug({ flowError: JSON.stringify(data)?.slice(0, 2_000) }, "a flow failed");
        throw new BadGateway(
          "flow_failed",
          "The flow failed at the flow provider. Its owner can run it there and see why.",
        );
      }
      if (event === "token") batch.push(...seen.token(data));
      else if (event === "add_message") batch.push(...seen.message(data));
      else if (event === "end") {
        const { output, outputs } = readOutput(End.safeParse(data).data?.result);
        const final = output === "" ? seen.text : output;
        batch.push(...seen.rest(final), { type: "result", output: final, outputs });
        yield batch;
        return;
      }
    }
    if (batch.length > 0) yield batch;
  }
  throw new BadGateway(
    "flow_cut",
    "The flow provider ended in the middle of a run. Run the flow again.",
  );
}

/**
 * The text of each message that was already sent, so that no text is sent twice: a new message
 * contains its first token, which also arrives as a token.
 */
class SeenMessages {
  text = "";
  /** `sent`: the text sent so far; `fromTokens`: the text of the tokens so far. */
  #messages = new Map<string, { sent: string; fromTokens: string }>();
  #last = "";

  token(data: unknown): RunPart[] {
    const { chunk, id = "" } = Token.safeParse(data).data ?? { chunk: "" };
    const message = this.#message(id);
    message.fromTokens += chunk;
    if (message.sent.startsWith(message.fromTokens)) return [];
    if (!message.fromTokens.startsWith(message.sent))
      message.fromTokens = message.sent + chunk;
    return this.#add(id, message.fromTokens.slice(message.sent.length));
  }

  /** Ignores messages of the user. Of a changed message only new text at the end can be sent. */
  message(data: unknown): RunPart[] {
    const { id = "", sender, text } = Message.safeParse(data).data ?? { text: "" };
    if (sender === "User") return [];
    const { sent } = this.#message(id);
    return text.startsWith(sent) ? this.#add(id, text.slice(sent.length)) : [];
  }

  rest(final: string): RunPart[] {
    return final.startsWith(this.text)
      ? this.#add(this.#last, final.slice(this.text.length))
      : [];
  }

  #message(id: string) {
    const message = this.#messages.get(id) ?? { sent: "", fromTokens: "" };
    this.#messages.set(id, message);
    return message;
  }

  #add(id: string, delta: string): RunPart[] {
    if (delta === "") return [];
    const between = this.text !== "" && id !== this.#last ? "\n\n" : "";
    this.#last = id;
    this.#message(id).sent += delta;
    this.text += between + delta;
    return [{ type: "text", delta: between + delta }];
  }
}

function parseEvent(line: string): z.output<typeof Event> {
  try {
    // a proxy may have turned the lines into server-sent events
    return Event.parse(
      parseJson(line.replace(/^data: ?/, ""), { maxValues: MAX_EVENT_VALUES }),
    );
  } catch (cause) {
    throw new BadGateway(
      "flow_cut",
      "The flow provider sent something that is not an event of a run. Run the flow again.",
      { cause },
    );
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    const last = pieces.pop() ?? "";
    if (pieces.length > 0) {
      pieces[0] = rest.join("") + (pieces[0] ?? "");
      rest = [];
      length = 0;
      const lines = pieces.filter((line) => line.trim() !== "");
      if (lines.length > 0) yield lines;
    }
    rest.push(last);
    length += last.length;
    if (length > MAX_LINE_CHARACTERS)
      throw new BadGateway(
        "provider_invalid",
        "The answer of the flow provider is too large. Ask for less.",
      );
  }
  const end = rest.join("") + decoder.decode();
  if (end.trim() !== "") yield [end];
}
