import type { CompletionEvent, CompletionFinish, Usage } from "../contract.ts";
import {
  cutFailure,
  invalidFailure,
  ProviderFailure,
  statusFailure,
} from "../provider-failures.ts";
import { toUsage } from "../to-usage.ts";
import { type Chunk, type ContentPart, parseChunk } from "./chunk.ts";
import { ToolCallCollector } from "./collect-tool-calls.ts";
import { TextTemplate } from "./text-template.ts";

/** A reply has no longer lines. */
const MAX_LINE_CHARACTERS = 8 * 1024 * 1024;

const FINISH: ReadonlyMap<string, CompletionFinish> = new Map([
  ["stop", "stop"],
  ["length", "length"],
  ["tool_calls", "tool_calls"],
  ["function_call", "tool_calls"],
  ["content_filter", "content_filter"],
]);

/**
 * Reads a `text/event-stream` of chat completion chunks as it arrives. Source: OpenAI API
 * reference, streaming.
 */
export class OpenAiReader {
  readonly #template = new TextTemplate();
  readonly #toolCalls = new ToolCallCollector();
  #unfinishedLine = "";
  #finish: CompletionFinish | undefined;
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };
  #isDone = false;
  #isRefusal = false;

  /** Chunks that belong to the reply so far. Comments and empty chunks do not count. */
  chunks = 0;

  /** Why the reply cannot continue. Events before it are returned first. */
  failure: ProviderFailure | undefined;

  /** The events that this text completes. Sets `failure` when the text is not a reply. */
  push(text: string): CompletionEvent[] {
    const events: CompletionEvent[] = [];
    try {
      this.#readLines(text, events);
    } catch (error) {
      // another error means that a field has an unexpected type
      this.failure = error instanceof ProviderFailure ? error : invalidFailure(error);
    }
    return events;
  }

  /** The events after the body: tool calls and `done`. Sets `failure` when the reply was cut. */
  end(): CompletionEvent[] {
    const events = this.push("\n");
    const isCut = this.#finish === undefined && !this.#isDone;
    if (this.failure === undefined && isCut) this.failure = cutFailure();
    if (this.failure !== undefined) return events;
    try {
      events.push(...this.#toolCalls.toEvents());
    } catch (error) {
      this.failure = error instanceof ProviderFailure ? error : invalidFailure(error);
      return events;
    }
    events.push({ type: "done", finishReason: this.#finishReason(), usage: this.#usage });
    return events;
  }

  #finishReason(): CompletionFinish {
    if (!this.#toolCalls.isEmpty) return "tool_calls";
    return this.#isRefusal ? "content_filter" : (this.#finish ?? "stop");
  }

  /** Searches only the new text for line ends: a long line costs no more than its length. */
  #readLines(text: string, events: CompletionEvent[]): void {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const rest = text.slice(from, end);
      const line = this.#unfinishedLine === "" ? rest : this.#unfinishedLine + rest;
      this.#unfinishedLine = "";
      from = end + 1;
      const delta = this.#template.textOf(line);
      if (delta === undefined) this.#readLine(line, events);
      else {
        this.chunks += 1;
        pushText(events, "text_delta", delta);
      }
    }
    this.#unfinishedLine += text.slice(from);
    if (this.#unfinishedLine.length > MAX_LINE_CHARACTERS) throw invalidFailure();
  }

  #readLine(line: string, events: CompletionEvent[]): void {
    if (line === "") return;
    if (!line.startsWith("data:")) return checkOtherLine(line);
    const data = line.slice(line[5] === " " ? 6 : 5);
    if (data === "[DONE]" || data === "[DONE]\r") {
      this.#isDone = true;
      return;
    }
    const chunk = parseChunk(data);
    this.#readChunk(chunk, events);
    this.#template.learn(line, chunk);
  }

  #readChunk({ choices, usage, error }: Chunk, events: CompletionEvent[]): void {
    if (error) throw statusFailure(Number(error.status ?? error.code) || 500, undefined);
    if (usage)
      this.#usage = toUsage({
        input: usage.prompt_tokens,
        output: usage.completion_tokens,
        cached: usage.prompt_tokens_details?.cached_tokens,
      });
    const choice = choices?.[0];
    if (!choice) return;
    this.chunks += 1;
    const { delta, finish_reason: finish } = choice;
    if (delta) {
      const reasoning = delta.reasoning_content ?? delta.reasoning;
      if (typeof reasoning === "string") pushText(events, "reasoning_delta", reasoning);
      if (typeof delta.content === "string") pushText(events, "text_delta", delta.content);
      else if (Array.isArray(delta.content)) pushParts(events, delta.content);
      if (delta.refusal && typeof delta.refusal === "string") {
        this.#isRefusal = true;
        pushText(events, "text_delta", delta.refusal);
      }
      for (const call of delta.tool_calls ?? []) this.#toolCalls.add(call);
    }
    if (finish) this.#finish = FINISH.get(finish) ?? "stop";
  }
}

/** Comments, other fields and blank lines are part of the protocol. Other lines are an error. */
function checkOtherLine(line: string): void {
  if (line === "\r" || line.startsWith(":") || /^(event|id|retry):/.test(line)) return;
  throw invalidFailure();
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

function pushParts(events: CompletionEvent[], parts: readonly ContentPart[]): void {
  for (const part of parts) {
    if (part.type === "text" && typeof part.text === "string")
      pushText(events, "text_delta", part.text);
    if (part.type !== "thinking") continue;
    const thoughts = (part.thinking ?? []).map(({ text = "" }) => text);
    pushText(events, "reasoning_delta", thoughts.join(""));
  }
}
