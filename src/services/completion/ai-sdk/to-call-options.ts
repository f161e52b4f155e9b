import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3ReasoningPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import { isRecord } from "../../../platform/json/is-record.ts";
import type { CompletionRequest, Message } from "../contract.ts";
import { messageStateOf } from "../provider-state.ts";
import { textOf } from "../message-text.ts";

/** The options of `doStream` for a request. `limit`: of its tokens, when it names none. */
export function toCallOptions(
  request: CompletionRequest,
  limit: number | undefined,
): LanguageModelV3CallOptions {
  const { messages, maxTokens = limit, temperature, topP, stop } = request;
  const { frequencyPenalty, presencePenalty, seed } = request;
  return {
    prompt: toPrompt(messages),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stop !== undefined && { stopSequences: stop }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(seed !== undefined && { seed }),
    ...toToolOptions(request),
    ...toResponseFormat(request),
  };
}

function toToolOptions({
  tools = [],
  toolChoice,
}: CompletionRequest): Pick<LanguageModelV3CallOptions, "tools" | "toolChoice"> {
  if (toolChoice === "none" || tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: "function" as const,
      name,
      description,
      inputSchema,
    })),
    toolChoice: { type: toolChoice === "required" ? "required" : "auto" },
  };
}

function toResponseFormat({
  responseFormat,
}: CompletionRequest): Pick<LanguageModelV3CallOptions, "responseFormat"> {
  if (!responseFormat) return {};
  const { schema } = responseFormat;
  return { responseFormat: { type: "json", ...(schema && { schema }) } };
}

function toPrompt(messages: readonly Message[]): LanguageModelV3Message[] {
  const toolNames = new Map<string, string>();
  for (const { toolCalls = [] } of messages)
    for (const { id, name } of toolCalls) toolNames.set(id, name);
  return messages.map((message) => toPromptMessage(message, toolNames));
}

function toPromptMessage(
  message: Message,
  toolNames: ReadonlyMap<string, string>,
): LanguageModelV3Message {
  const { role, toolCallId = "" } = message;
  const text = textOf(message);
  if (role === "system") return { role, content: text };
  if (role === "assistant") return { role, content: toAssistantContent(message, text) };
  if (role === "user") return { role, content: toUserContent(message) };
  const toolName = toolNames.get(toolCallId) ?? "tool";
  const output = { type: "text" as const, value: text };
  return { role, content: [{ type: "tool-result", toolCallId, toolName, output }] };
}

function toAssistantContent({ toolCalls = [] }: Message, text: string) {
  const calls = toolCalls.map(({ id, name, arguments: input, state: ofCall }) => ({
    type: "tool-call" as const,
    toolCallId: id,
    toolName: name,
    input,
    ...toProviderOptions(fieldOf(ofCall?.["call"], "metadata")),
  }));
  const thoughts = toThoughts(fieldOf(messageStateOf(toolCalls), "thoughts"));
  return text
    ? [...thoughts, { type: "text" as const, text }, ...calls]
    : [...thoughts, ...calls];
}

/** The thoughts of a turn as `ThoughtCollector` keeps them. */
function toThoughts(thoughts: unknown): LanguageModelV3ReasoningPart[] {
  if (!Array.isArray(thoughts)) return [];
  return thoughts.filter(isRecord).map(({ text, metadata }) => ({
    type: "reasoning" as const,
    text: typeof text === "string" ? text : "",
    ...toProviderOptions(metadata),
  }));
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function toProviderOptions(metadata: unknown) {
  return isRecord(metadata)
    ? { providerOptions: metadata as SharedV3ProviderOptions } // as its package wrote it
    : {};
}

function toUserContent({ content }: Message) {
  if (typeof content === "string") return [{ type: "text" as const, text: content }];
  return content.map((part) => {
    if (part.type === "text") return part;
    if (part.type === "file") {
      const { mediaType, data, name: filename } = part;
      return { type: "file" as const, mediaType, data, ...(filename && { filename }) };
    }
    const data = part.url ? new URL(part.url) : (part.data ?? "");
    return { type: "file" as const, mediaType: part.mediaType, data };
  });
}
