import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { CompletionEvent, CompletionFinish } from "../contract.ts";
import { readArguments } from "../openai/read-arguments.ts";
import { toUsage } from "../to-usage.ts";
import { toProviderFailure } from "./to-provider-failure.ts";

const FINISH: Record<string, CompletionFinish> = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
};

/** The events of one part of an AI SDK stream. @throws ApiError for a part that is an error. */
export function toEvents(part: LanguageModelV3StreamPart): CompletionEvent[] {
  switch (part.type) {
    case "text-delta":
      return part.delta ? [{ type: "text_delta", delta: part.delta }] : [];
    case "reasoning-delta":
      return part.delta ? [{ type: "reasoning_delta", delta: part.delta }] : [];
    case "tool-call": {
      const { toolCallId: id, toolName: name, input } = part;
      return [{ type: "tool_call", id, name, arguments: readArguments(input) }];
    }
    case "error":
      throw toProviderFailure(part.error);
    case "finish": {
      const { inputTokens, outputTokens } = part.usage;
      const usage = toUsage({
        input: inputTokens.total,
        output: outputTokens.total,
        cached: inputTokens.cacheRead,
      });
      return [
        { type: "done", finishReason: FINISH[part.finishReason.unified] ?? "stop", usage },
      ];
    }
    default:
      return [];
  }
}
