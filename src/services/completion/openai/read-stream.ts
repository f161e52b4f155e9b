import type { CompletionEvent, CompletionFinish, Usage } from "../contract.ts";
import { JsonLimitExceeded, JsonMeter, parseJson } from "../../../platform/json/json-limits.ts";
import {
  cutFailure,
  invalidFailure,
  MAX_REPLY_CHARACTERS,
  ProviderFailure,
  statusFailure,
  tooLongFailure,
} from "../provider.ts";
import { TextTemplate } from "./text-template.ts";

/**
 * The parts of a chunk that we read. Everything may be absent: the many servers that speak this
 * protocol differ.
 */
interface Chunk {
  choices?: {
    delta?: {
      /** Mistral's models, behind any server, send parts where they reason. */
      content?: string | ContentPart[] | null;
      /** Instead of content, where the model refuses to fill a schema. */
      refusal?: string | null;
      reasoning_content?: string | null;
      reasoning?: string | null;
      tool_calls?: ToolCallDelta[];
    };
    finish_reason?: string | null;
  }[];
  usage?: {
    prompt_tokens?: number;
    completion_tokens?: number;
    prompt_tokens_details?: { cached_tokens?: number };
  } | null;
  error?: { code?: string | number; status?: number };
}

type ContentPart =
  | { type: "text"; text?: string }
  | { type: "thinking"; thinking?: { text?: string }[] };

interface ToolCallDelta {
  index?: number;
  id?: string;
  function?: { name?: string; arguments?: string };
}

/** A line longer than this is no reply. */
const MAX_LINE_CHARACTERS = 8 * 1024 * 1024;

/** Levels of a call's arguments: they go on within a request, which is nested itself. */
const MAX_ARGUMENTS_DEPTH = 64;

/**
 * Reads `text/event-stream` of chat completion chunks as it arrives. Source: OpenAI API reference,
 * streaming.
 */
export class OpenAiReader {
  #rest = "";
  readonly #template = new TextTemplate();
  #calls: { key: string; id: string; name: string; json: string }[] = [];
  #finish: CompletionFinish | undefined;
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };
  #ended = false;
  /** Characters of arguments, and some for each call. */
  #held = 0;
  #refused = false;

  /** How many chunks have come that belong to the reply: comments and empty ones do not. */
  chunks = 0;

  /** Why the reply cannot go on. What came before it is handed out first. */
  failure: ProviderFailure | undefined;

  /** Events that this text completes; sets `failure` on what is not a reply. */
  push(text: string): CompletionEvent[] {
    const events: CompletionEvent[] = [];
    try {
      this.#lines(text, events);
    } catch (error) {
      // fields of other types than we read are no reply either
      this.failure = error instanceof ProviderFailure ? error : invalidFailure(error);
    }
    return events;
  }

  /**
   * What is left when the body has ended: the tool calls and `done`. Sets `failure` when the reply
   * was cut.
   */
  end(): CompletionEvent[] {
    const events = this.push("\n");
    if (this.failure === undefined && this.#finish === undefined && !this.#ended)
      this.failure = cutFailure();
    if (this.failure !== undefined) return events;
    try {
      const meter = new JsonMeter({ maxDepth: MAX_ARGUMENTS_DEPTH });
      for (const { id, name, json } of this.#calls)
        events.push({ type: "tool_call", id, name, arguments: argumentsOf(json, meter) });
    } catch (error) {
      this.failure = error instanceof ProviderFailure ? error : invalidFailure(error);
      return events;
    }
    const finish = this.#refused ? "content_filter" : (this.#finish ?? "stop");
    const finishReason = this.#calls.length > 0 ? "tool_calls" : finish;
    events.push({ type: "done", finishReason, usage: this.#usage });
    return events;
  }

  /** Only the new text is searched: a long line costs no more than its length. */
  #lines(text: string, events: CompletionEvent[]): void {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const line = this.#rest === "" ? text.slice(from, end) : this.#rest + text.slice(from, end);
      this.#rest = "";
      from = end + 1;
      const more = this.#template.textOf(line);
      if (more === undefined) this.#line(line, events);
      else {
        this.chunks += 1;
        pushText(events, "text_delta", more);
      }
    }
    this.#rest += text.slice(from);
    if (this.#rest.length > MAX_LINE_CHARACTERS) throw invalidFailure();
  }

  #line(line: string, events: CompletionEvent[]): void {
    if (line === "") return;
    if (!line.startsWith("data:")) return this.#unknown(line);
    const data = line.slice(line[5] === " " ? 6 : 5);
    if (data === "[DONE]" || data === "[DONE]\r") {
      this.#ended = true;
      return;
    }
    const chunk = parsed(data);
    this.#chunk(chunk, events);
    this.#template.learn(line, chunk);
  }

  /**
   * Comments, other fields and blank lines are the protocol's; a line of anything else is garbage.
   */
  #unknown(line: string): void {
    if (line === "\r" || line.startsWith(":") || /^(event|id|retry):/.test(line)) return;
    throw invalidFailure();
  }

  #chunk({ choices, usage, error }: Chunk, events: CompletionEvent[]): void {
    if (error) throw statusFailure(Number(error.status ?? error.code) || 500, undefined);
    if (usage) {
      const cached = usage.prompt_tokens_details?.cached_tokens;
      this.#usage = {
        inputTokens: count(usage.prompt_tokens),
        outputTokens: count(usage.completion_tokens),
        ...(count(cached) ? { cachedInputTokens: count(cached) } : {}),
      };
    }
    const choice = choices?.[0];
    if (!choice) return;
    this.chunks += 1;
    const { delta, finish_reason: finish } = choice;
    if (delta) {
      const reasoning = delta.reasoning_content ?? delta.reasoning;
      if (typeof reasoning === "string") pushText(events, "reasoning_delta", reasoning);
      if (typeof delta.content === "string") pushText(events, "text_delta", delta.content);
      else if (Array.isArray(delta.content)) pushParts(delta.content, events);
      if (delta.refusal && typeof delta.refusal === "string") {
        this.#refused = true;
        pushText(events, "text_delta", delta.refusal);
      }
      for (const call of delta.tool_calls ?? []) this.#toolCall(call);
    }
    if (finish) this.#finish = FINISH.get(finish) ?? "stop";
  }

  /**
   * Parts of one call share an index; servers without indexes send whole calls, or repeat the id.
   */
  #toolCall({ index, id, function: part }: ToolCallDelta): void {
    const last = this.#calls.at(-1);
    const key = index !== undefined ? `index ${index}` : id ? `id ${id}` : (last?.key ?? "first");
    const starts = part?.name && index === undefined && id === undefined;
    let call = starts ? undefined : this.#calls.find((known) => known.key === key);
    if (call === undefined) {
      call = {
        key: starts ? `call ${this.#calls.length}` : key,
        id: id ? String(id) : `call_${this.#calls.length + 1}`,
        name: "",
        json: "",
      };
      this.#calls.push(call);
      this.#held += 100;
    }
    if (id) call.id = String(id);
    if (part?.name) call.name = String(part.name);
    if (part?.arguments) {
      call.json += part.arguments;
      this.#held += part.arguments.length;
    }
    if (this.#held > MAX_REPLY_CHARACTERS) throw tooLongFailure();
  }
}

/** Some servers tell no numbers where numbers belong. */
function count(tokens: unknown): number {
  return typeof tokens === "number" && tokens > 0 ? Math.round(tokens) : 0;
}

/**
 * What comes at once is one event: it costs the ways that it has before it less, and its reader
 * loses nothing.
 */
function pushText(
  events: CompletionEvent[],
  type: "text_delta" | "reasoning_delta",
  delta: string,
): void {
  if (delta === "") return;
  const last = events.at(-1);
  if (last?.type === type) last.delta += delta;
  else events.push({ type, delta });
}

function pushParts(parts: readonly ContentPart[], events: CompletionEvent[]): void {
  for (const part of parts) {
    if (part.type === "text" && typeof part.text === "string")
      pushText(events, "text_delta", part.text);
    if (part.type === "thinking")
      pushText(
        events,
        "reasoning_delta",
        (part.thinking ?? []).map(({ text = "" }) => text).join(""),
      );
  }
}

const FINISH: ReadonlyMap<string, CompletionFinish> = new Map([
  ["stop", "stop"],
  ["length", "length"],
  ["tool_calls", "tool_calls"],
  ["function_call", "tool_calls"],
  ["content_filter", "content_filter"],
]);

function parsed(data: string): Chunk {
  try {
    const value = parseJson(data);
    if (typeof value === "object" && value !== null) return value; // every field of a chunk is optional
  } catch (error) {
    throw invalidFailure(error);
  }
  throw invalidFailure();
}

/**
 * What a model wrote as arguments. What is not a JSON object reaches the tool as `{}` and is
 * refused there by its schema.
 * @param meter of all calls of a reply.
 * @throws ProviderFailure `provider_invalid` on what is so much or nested so deep that nobody could
 * pass it on.
 */
export function argumentsOf(
  json: string,
  meter = new JsonMeter({ maxDepth: MAX_ARGUMENTS_DEPTH }),
): Record<string, unknown> {
  try {
    meter.pushText(json);
    const value: unknown = JSON.parse(json || "{}");
    // an object that is no array is a record
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch (error) {
    if (error instanceof JsonLimitExceeded) throw invalidFailure();
    return {};
  }
}
