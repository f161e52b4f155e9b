import { isRecord } from "../../../platform/json/is-record.ts";
import type { CompletionEvent, CompletionFinish, Usage } from "../contract.ts";
import { errorFailure } from "../explain-refusal.ts";
import { cutFailure, invalidFailure, ProviderFailure } from "../provider-failures.ts";
import { type Chunk, type Delta, isThought, parseChunk } from "./chunk.ts";
import { withMessageState } from "../provider-state.ts";
import { StateCollector } from "./collect-state.ts";
import { ToolCallCollector } from "./collect-tool-calls.ts";
import { JoinedLines, Lines } from "./event-lines.ts";
import { readFinish } from "./finish-reasons.ts";
import { TextTemplate } from "./text-template.ts";
import { toUsage } from "../to-usage.ts";

/** The mark of the end, also as careless servers write it. */
const DONE = /^"?\[done\]"?$/i;

/**
 * Reads a `text/event-stream` of chat completion chunks as it arrives, or one JSON object of a
 * server that does not stream. Sources: OpenAI API reference, streaming; WHATWG HTML, server-sent
 * events.
 */
export class OpenAiReader {
  readonly #lines = new Lines();
  readonly #template = new TextTemplate();
  readonly #toolCalls = new ToolCallCollector();
  readonly #state = new StateCollector();
  /** Data of an event in several lines, or the lines of a body that is no stream. */
  readonly #joined = new JoinedLines();
  #eventName = "";
  #isBody = false;
  #finish: CompletionFinish | undefined;
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };
  #isDone = false;
  #isRefusal = false;
  #hasText = false;
  #hasTags = false;

  /** Chunks that belong to the reply so far. Comments and empty chunks do not count. */
  chunks = 0;

  /** Why the reply cannot continue. Events before it are returned first. */
  failure: ProviderFailure | undefined;

  /** The events that this text completes. Sets `failure` when the text is not a reply. */
  push(text: string): CompletionEvent[] {
    const word = this.#wordOf(text);
    if (word !== undefined) return [word];
    const events: CompletionEvent[] = [];
    this.#guard(() => this.#lines.push(text, (line) => this.#takeLine(line, events)));
    return events;
  }

  /** The events after the body: tool calls and `done`. Sets `failure` when the reply was cut. */
  end(): CompletionEvent[] {
    const events = this.push("\n\n");
    this.#guard(() => {
      if (this.failure !== undefined) return;
      if (this.#isBody && !this.#joined.isEmpty)
        this.#readData(this.#joined.take(), events);
      if (this.#finish === undefined && !this.#isDone) throw cutFailure();
      const calls = this.#toolCalls.toEvents(this.#finish);
      events.push(...withMessageState(calls, this.#state.state), {
        type: "done",
        finishReason: this.#finishReason(calls.length),
        usage: this.#usage,
      });
    });
    return events;
  }

  /** Reads a text that is one event with nothing new but a word, as at human speed most are. */
  #wordOf(text: string): CompletionEvent | undefined {
    const isBetween = this.#lines.isBetween && this.#joined.isEmpty && !this.#isBody;
    if (!isBetween || !text.endsWith("\n\n")) return undefined;
    const delta = this.#template.textOf(text.slice(0, -2));
    if (delta === undefined || delta === "") return undefined;
    this.chunks += 1;
    this.#hasText = true;
    this.#eventName = "";
    return { type: "text_delta", delta };
  }

  #guard(read: () => void): void {
    try {
      read();
    } catch (error) {
      // another error means that a field has an unexpected type
      this.failure = error instanceof ProviderFailure ? error : invalidFailure(error);
    }
  }

  /** Calls are run only after a reply that ended by itself. */
  #finishReason(calls: number): CompletionFinish {
    if (this.#isRefusal) return "content_filter";
    const isWhole = this.#finish === undefined || this.#finish === "stop";
    return isWhole && calls > 0 ? "tool_calls" : (this.#finish ?? "stop");
  }

  #takeLine(line: string, events: CompletionEvent[]): void {
    const delta = this.#template.textOf(line);
    if (delta === undefined) return this.#readLine(line, events);
    this.chunks += 1;
    this.#hasText = true;
    pushText(events, "text_delta", delta);
  }

  #readLine(line: string, events: CompletionEvent[]): void {
    if (this.#isBody) return this.#readBodyLine(line, events);
    if (line === "") return this.#endEvent(events);
    if (!line.startsWith("data:")) return this.#readOtherLine(line, events);
    const data = line.slice(line[5] === " " ? 6 : 5);
    if (!this.#joined.isEmpty) return this.#joined.add(data);
    // some proxies frame events that are framed already
    if (data.startsWith("data:")) return this.#readLine(data, events);
    const trimmed = data.trim();
    if (trimmed === "" || trimmed === "null") return;
    if (DONE.test(trimmed)) this.#isDone = true;
    else if (trimmed.endsWith("}")) this.#readWhole(line, data, events);
    // the rest stands in the next line
    else this.#joined.add(data);
  }

  #readWhole(line: string, data: string, events: CompletionEvent[]): void {
    let chunk: Chunk;
    try {
      chunk = parseChunk(data);
    } catch {
      return this.#joined.add(data);
    }
    this.#readChunk(chunk, events);
    this.#template.learn(line, chunk);
  }

  #endEvent(events: CompletionEvent[]): void {
    if (!this.#joined.isEmpty) this.#readData(this.#joined.take(), events);
    this.#eventName = "";
  }

  #readData(data: string, events: CompletionEvent[]): void {
    this.#readChunk(parseChunk(data), events);
  }

  /**
   * Comments and other fields are part of the protocol. A JSON object is an answer of a server that
   * does not stream.
   */
  #readOtherLine(line: string, events: CompletionEvent[]): void {
    const [name, value] = /^(event|id|retry|data)(?:: ?(.*))?$/.exec(line)?.slice(1) ?? [];
    if (name === "event") this.#eventName = value?.trim() ?? "";
    if (name !== undefined || line.startsWith(":") || line.trim() === "") return;
    // fields in capitals
    if (/^data:/i.test(line)) return this.#readLine(`data:${line.slice(5)}`, events);
    if (DONE.test(line.trim())) return void (this.#isDone = true);
    const error = this.chunks > 0 || isErrorField(line) ? bareErrorOf(line) : undefined;
    if (error !== undefined) throw errorFailure(error);
    if (this.chunks > 0 || !/^\s*[[{]/.test(line)) throw invalidFailure();
    this.#isBody = true;
    this.#readBodyLine(line, events);
  }

  /** One JSON object in any number of lines, or one in each line. */
  #readBodyLine(line: string, events: CompletionEvent[]): void {
    if (line.trim() === "") return;
    const isObject =
      this.#joined.isEmpty && line.startsWith("{") && line.trimEnd().endsWith("}");
    if (isObject) this.#readData(line, events);
    else this.#joined.add(line);
  }

  #readChunk(chunk: Chunk, events: CompletionEvent[]): void {
    const choice = chunk.choices?.[0];
    if (choice) {
      this.chunks += 1;
      if (choice.delta) this.#readDelta(choice.delta, events);
      else if (typeof choice.text === "string")
        this.#readDelta({ content: choice.text }, events);
      if (choice.message) this.#readMessage(choice.message, events);
    }
    this.#usage = readUsage(chunk) ?? this.#usage;
    const error = choice?.error ?? chunk.error ?? chunk.x_groq?.error;
    const isError =
      chunk.object === "error" || this.#eventName === "error" || isBareError(chunk);
    if (error || isError) throw errorFailure(error || chunk);
    const { finish_reason: reason } = choice ?? {};
    if (reason !== undefined && reason !== null) this.#end(String(reason));
  }

  #end(reason: string): void {
    const finish = readFinish(reason);
    if (finish === "error") throw errorFailure(undefined);
    // an empty reason stands in chunks before the last one as well
    if (reason !== "") this.#finish = finish;
  }

  #readDelta(delta: Delta, events: CompletionEvent[]): void {
    this.#state.add(delta);
    pushReasoning(events, delta);
    const { content, refusal, tool_calls: calls, function_call: call } = delta;
    if (typeof content === "string" && this.#isThought(delta, content))
      pushText(events, "reasoning_delta", content);
    else if (typeof content === "string") {
      this.#hasText ||= content !== "";
      pushText(events, "text_delta", content);
    } else if (content !== undefined && content !== null)
      this.#hasText = pushParts(events, content) || this.#hasText;
    if (refusal && typeof refusal === "string") {
      this.#isRefusal = true;
      pushText(events, "text_delta", refusal);
    }
    for (const part of calls ?? []) if (isRecord(part)) this.#toolCalls.add(part);
    if (isRecord(call)) this.#toolCalls.add({ function: call });
  }

  /** Gemini itself writes tags around marked thoughts, which are read as those of others. */
  #isThought(delta: Delta, content: string): boolean {
    if (!isThought(delta)) return false;
    this.#hasTags ||= !this.#hasText && content.startsWith("<");
    return !this.#hasTags;
  }

  /** What came in parts before is not read again. */
  #readMessage(message: Delta, events: CompletionEvent[]): void {
    const { tool_calls: calls, function_call: call, ...rest } = message;
    if (!this.#hasText) this.#readDelta(rest, events);
    this.#toolCalls.addWhole((calls ?? []).filter(isRecord));
    if (isRecord(call)) this.#toolCalls.addWhole([{ function: call }]);
    this.#isDone = true;
  }
}

/** An error of a server or gateway that puts it nowhere. */
function isBareError({ choices, error, detail, message, ...rest }: Chunk): boolean {
  if (choices !== undefined || error) return false;
  if (typeof detail === "string" || Array.isArray(detail)) return true;
  const names = ["code", "status", "type", "success", "statusCode", "status_code"];
  return typeof message === "string" && names.some((name) => name in rest);
}

/** llama.cpp writes errors in a field of their own. */
function isErrorField(line: string): boolean {
  return line.startsWith("error:");
}

/** The error in a line that is no event, as Ollama and Gemini end a stream. */
function bareErrorOf(line: string): unknown {
  const isField = isErrorField(line);
  const text = isField ? line.slice("error:".length) : line;
  try {
    const chunk = parseChunk(text);
    return chunk.error ?? (isField ? chunk : undefined);
  } catch {
    return isField ? text : undefined;
  }
}

/** The usage in a chunk, wherever it stands; undefined when there is none or an empty one. */
function readUsage({
  usage,
  usageMetadata,
  x_groq: groq,
  choices,
}: Chunk): Usage | undefined {
  const reported = usage ?? usageMetadata ?? groq?.usage ?? choices?.[0]?.usage;
  if (!isRecord(reported)) return undefined;
  const stated = reported["prompt_tokens_details"] ?? reported["input_tokens_details"];
  const details = isRecord(stated) ? stated : {};
  const read = toUsage({
    input: firstOf(reported, INPUT),
    output: firstOf(reported, OUTPUT),
    cached: details["cached_tokens"] ?? firstOf(reported, CACHED),
    written: firstOf(details, WRITTEN) ?? firstOf(reported, WRITTEN),
  });
  return read.inputTokens + read.outputTokens > 0 ? read : undefined;
}

/** OpenAI's names, those of its newer protocol, of gateways in camel case, and of Gemini. */
const INPUT = [
  "prompt_tokens",
  "input_tokens",
  "promptTokens",
  "inputTokens",
  "promptTokenCount",
];
const OUTPUT = [
  "completion_tokens",
  "output_tokens",
  "completionTokens",
  "outputTokens",
  "candidatesTokenCount",
];
/** The first is DeepSeek's. */
const CACHED = ["prompt_cache_hit_tokens", "cachedTokens", "cachedContentTokenCount"];
/** OpenAI's and OpenRouter's name, LiteLLM's two, which pass on what Claude says, and Bedrock's. */
const WRITTEN = [
  "cache_write_tokens",
  "cache_creation_tokens",
  "cache_creation_input_tokens",
  "cacheWriteInputTokens",
];

function firstOf(reported: Record<string, unknown>, names: readonly string[]): unknown {
  return names
    .map((name) => reported[name])
    .find((value) => value !== undefined && value !== null);
}

/** Text that arrives together becomes one event, which is cheaper to pass on. */
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

/**
 * Parts of text and reasoning: a list of them or a single one, with their kind or without. A number
 * is text, too. @returns whether there was text.
 */
function pushParts(events: CompletionEvent[], content: unknown): boolean {
  let hasText = false;
  for (const part of Array.isArray(content) ? content : [content]) {
    const { type, thinking, thought } = isRecord(part) ? part : {};
    const isThinking = type === "thinking" || type === "reasoning" || thought === true;
    const text = isThinking ? textOf(thinking ?? part) : partText(part);
    pushText(events, isThinking ? "reasoning_delta" : "text_delta", text);
    hasText ||= !isThinking && text !== "";
  }
  return hasText;
}

function partText(part: unknown): string {
  if (typeof part === "string" || typeof part === "number") return String(part);
  if (!isRecord(part)) return "";
  const { text } = part;
  // OpenAI's assistants write {"text": {"value": "…"}}
  if (isRecord(text) && typeof text["value"] === "string") return text["value"];
  return typeof text === "string" ? text : "";
}

/** Servers name the reasoning differently, and some send it under two names. */
function pushReasoning(events: CompletionEvent[], delta: Delta): void {
  const { reasoning_content, reasoning, reasoning_text, thinking } = delta;
  const { reasoning_details: details, thinking_blocks: blocks } = delta;
  const fields = [reasoning_content, reasoning, reasoning_text, thinking, details, blocks];
  for (const field of fields) {
    const text = textOf(field);
    if (text === "") continue;
    pushText(events, "reasoning_delta", text);
    return;
  }
}

function textOf(field: unknown): string {
  if (typeof field === "string") return field;
  if (Array.isArray(field)) return field.map(textOf).join("");
  if (!isRecord(field)) return "";
  const { text, summary, content, thinking } = field;
  const parts = [text, summary, content, thinking];
  return parts.find((part) => typeof part === "string") ?? "";
}
