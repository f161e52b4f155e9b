import { z } from "zod";
import { BadGateway } from "../../../../platform/http/errors.ts";
import type { Logger } from "../../../../platform/telemetry/log.ts";
import type { RunPart } from "../provider.ts";
import { readOutput } from "./read-output.ts";

const Event = z.object({ event: z.string(), data: z.unknown() });
const Token = z.object({ chunk: z.string(), id: z.string().optional() });
const Message = z.object({
  id: z.string().optional(),
  sender: z.string().optional(),
  text: z.string(),
  properties: z.object({ state: z.string() }).partial().optional().catch(undefined),
});
const End = z.object({ result: z.unknown() });

/** Characters in one event. */
const LONGEST_LINE = 32 * 2 ** 20;

/**
 * The events of a run as they come. What says `text/event-stream` is JSON, one object a line. A token adds to its message; a message
 * takes the place of what came of it before. Events of other names tell of the run itself.
 * @throws BadGateway `flow_failed` for an error event, `flow_cut` when neither `end` nor `error` comes. Source: `lfx/events/event_manager.py`.
 */
export async function* readRun(stream: ReadableStream<Uint8Array>, log: Logger): AsyncGenerator<RunPart[]> {
  const shown = new Shown();
  for await (const lines of linesOf(stream)) {
    const batch: RunPart[] = [];
    for (const line of lines) {
      const { event, data } = eventOf(line);
      if (event === "error") {
        log.debug({ flowError: JSON.stringify(data)?.slice(0, 2_000) }, "a flow failed");
        throw new BadGateway("flow_failed", "The flow failed at the flow provider. Its owner can run it there and see why.");
      }
      if (event === "token") batch.push(...shown.token(data));
      else if (event === "add_message") batch.push(...shown.message(data));
      else if (event === "end") {
        const { output, outputs } = readOutput(End.safeParse(data).data?.result);
        const final = output === "" ? shown.text : output;
        batch.push(...shown.rest(final), { type: "result", output: final, outputs });
        yield batch;
        return;
      }
    }
    if (batch.length > 0) yield batch;
  }
  throw new BadGateway("flow_cut", "The flow provider broke off in the middle of a run. Ask again.");
}

/** What a reader has seen, so that each word comes once. */
class Shown {
  text = "";
  #messages = new Map<string, string>();
  #last = "";

  token(data: unknown): RunPart[] {
    const token = Token.safeParse(data).data;
    return token ? this.#add(token.id ?? "", token.chunk) : [];
  }

  /** Its own words are not the flow's; of a message that was changed only what is new at its end can still be shown. */
  message(data: unknown): RunPart[] {
    const message = Message.safeParse(data).data;
    // one that is not complete is told by its tokens, the first of which is in it already
    if (!message || message.sender === "User" || message.properties?.state === "partial") return [];
    const before = this.#messages.get(message.id ?? "") ?? "";
    return message.text.startsWith(before) ? this.#add(message.id ?? "", message.text.slice(before.length)) : [];
  }

  rest(final: string): RunPart[] {
    return final.startsWith(this.text) && final.length > this.text.length
      ? this.#add(this.#last, final.slice(this.text.length))
      : [];
  }

  #add(id: string, delta: string): RunPart[] {
    if (delta === "") return [];
    const between = this.text !== "" && id !== this.#last ? "\n\n" : "";
    this.#last = id;
    this.#messages.set(id, (this.#messages.get(id) ?? "") + delta);
    this.text += between + delta;
    return [{ type: "text", delta: between + delta }];
  }
}

function eventOf(line: string): z.output<typeof Event> {
  try {
    // a proxy may have made true server-sent events of them
    return Event.parse(JSON.parse(line.replace(/^data: ?/, "")));
  } catch (cause) {
    throw new BadGateway("flow_cut", "The flow provider sent something that is not an event of a run.", { cause });
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
    if (length > LONGEST_LINE) throw new BadGateway("provider_invalid", "The flow provider answered with more than we read.");
  }
  const end = rest.join("") + decoder.decode();
  if (end.trim() !== "") yield [end];
}
