import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { CompletionEvent, CompletionFinish } from "../contract.ts";
import { errorFailure } from "../explain-refusal.ts";
import { readFinish } from "../openai/finish-reasons.ts";
import { readArguments } from "../openai/read-arguments.ts";
import { MAX_REPLY_CALLS } from "../reply-limits.ts";
import { withMessageState } from "../provider-state.ts";
import { cutFailure, tooLongFailure } from "../provider-failures.ts";
import { toUsage } from "../to-usage.ts";
import { toProviderFailure } from "./to-provider-failure.ts";

type Call = Extract<CompletionEvent, { type: "tool_call" }>;
type Finish = Extract<LanguageModelV3StreamPart, { type: "finish" }>;

interface Thought {
  text: string;
  /** Its signature. */
  metadata?: SharedV3ProviderMetadata;
}

/** Reads the parts of a stream of the AI SDK. Calls wait until it is known how the reply ended. */
export class PartReader {
  readonly #calls: Call[] = [];
  readonly #thoughts = new Map<string, Thought>();

  /** The events of one part. @throws ApiError for a part that is an error. */
  read(part: LanguageModelV3StreamPart): CompletionEvent[] {
    switch (part.type) {
      case "text-delta":
        return part.delta ? [{ type: "text_delta", delta: part.delta }] : [];
      case "reasoning-start":
      case "reasoning-end":
        this.#addThought(part.id, "", part.providerMetadata);
        return [];
      case "reasoning-delta":
        this.#addThought(part.id, part.delta, part.providerMetadata);
        return part.delta ? [{ type: "reasoning_delta", delta: part.delta }] : [];
      case "tool-call":
        this.#addCall(part);
        return [];
      case "error":
        throw toProviderFailure(part.error);
      case "finish":
        return this.#finish(part);
      default:
        return [];
    }
  }

  #addCall(part: Extract<LanguageModelV3StreamPart, { type: "tool-call" }>): void {
    const { toolCallId: id, toolName: name, input, providerMetadata: metadata } = part;
    const call: Call = { type: "tool_call", id, name, ...readArguments(input) };
    if (metadata) call.state = { call: { metadata } };
    if (this.#calls.push(call) > MAX_REPLY_CALLS) throw tooLongFailure();
  }

  #addThought(id: string, delta: string, metadata?: SharedV3ProviderMetadata): void {
    const thought = this.#thoughts.get(id) ?? { text: "" };
    thought.text += delta;
    if (metadata) thought.metadata = { ...thought.metadata, ...metadata };
    this.#thoughts.set(id, thought);
  }

  #finish({ usage, finishReason: { unified, raw } }: Finish): CompletionEvent[] {
    const { inputTokens, outputTokens } = usage;
    const finish = toFinish(unified, raw);
    const isCut = finish === "length";
    const calls = this.#calls.filter(
      ({ unreadable }) => !isCut || unreadable === undefined,
    );
    // a thought without a signature need not go back
    const thoughts = [...this.#thoughts.values()].filter(({ metadata }) => metadata);
    return [
      ...withMessageState(calls, thoughts.length > 0 ? { thoughts } : undefined),
      {
        type: "done",
        finishReason: finish === "stop" && calls.length > 0 ? "tool_calls" : finish,
        usage: toUsage({
          input: inputTokens.total,
          output: outputTokens.total,
          cached: inputTokens.cacheRead,
        }),
      },
    ];
  }
}

/** @throws ProviderFailure for a reply that the provider ended with an error, or not at all. */
function toFinish(
  unified: Finish["finishReason"]["unified"],
  raw?: string,
): CompletionFinish {
  // the package makes up this end when the stream has none
  if (unified === "other" && raw === undefined) throw cutFailure();
  if (unified === "length") return "length";
  if (unified === "content-filter") return "content_filter";
  const named = readFinish(raw ?? "");
  if (unified === "error" || named === "error") throw errorFailure(undefined);
  if (unified === "tool-calls") return "tool_calls";
  // a call that only carries the JSON of an answer has ended with the name of a call
  return named === "tool_calls" ? "stop" : named;
}
