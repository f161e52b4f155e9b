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

interface Given {
  /** Of the tokens of the reply, when the request names none. */
  limit?: number | undefined;
  /** Marks the end of what the provider is to cache; absent: it caches nothing, or by itself. */
  cachePoint?: SharedV3ProviderOptions | undefined;
}

/** The options of `doStream` for a request. */
export function toCallOptions(
  request: CompletionRequest,
  { limit, cachePoint }: Given,
): LanguageModelV3CallOptions {
  const { messages, maxTokens = limit, temperature, topP, stop } = request;
  const { frequencyPenalty, presencePenalty, seed } = request;
  return {
    prompt: toPrompt(messages, cachePoint && markedIn(request), cachePoint),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stop !== undefined && { stopSequences: stop }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(seed !== undefined && { seed }),
    ...toToolOptions(request, cachePoint),
    ...toResponseFormat(request),
  };
}

function toToolOptions(
  { tools = [], toolChoice, once }: CompletionRequest,
  cachePoint: SharedV3ProviderOptions | undefined,
): Pick<LanguageModelV3CallOptions, "tools" | "toolChoice"> {
  if (toolChoice === "none" || tools.length === 0) return {};
  const isMarked = (at: number) => !once && at === tools.length - 1;
  return {
    tools: tools.map(({ name, description, inputSchema }, at) => ({
      type: "function" as const,
      name,
      description,
      inputSchema,
      ...(cachePoint && isMarked(at) && { providerOptions: cachePoint }),
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

/**
 * The messages at whose end the provider is to cache: the instructions and, where a next request
 * will begin with the same, the end of this one and the end that the request before had. With the
 * tools they are four, as many as Anthropic and Bedrock take.
 * Source: Anthropic documentation, prompt caching.
 */
function markedIn({ messages, tools = [], once }: CompletionRequest): Set<Message> {
  const marked = new Set<Message>();
  if (once) return marked;
  const first = messages.findIndex(({ role }) => role !== "system");
  const instructions = messages[first - 1];
  if (instructions) marked.add(instructions);
  const lastAnswer = messages.findLastIndex(({ role }) => role === "assistant");
  // a single question without tools is not asked again
  if (lastAnswer < 0 && tools.length === 0) return marked;
  for (const one of [messages.at(-1), messages[lastAnswer - 1]])
    if (one?.role === "user" || one?.role === "tool") marked.add(one);
  return marked;
}

function toPrompt(
  messages: readonly Message[],
  marked: ReadonlySet<Message> | undefined,
  cachePoint: SharedV3ProviderOptions | undefined,
): LanguageModelV3Message[] {
  const toolNames = new Map<string, string>();
  for (const { toolCalls = [] } of messages)
    for (const { id, name } of toolCalls) toolNames.set(id, name);
  return messages.map((message) => {
    const asked = toPromptMessage(message, toolNames);
    if (!cachePoint || !marked?.has(message)) return asked;
    return { ...asked, providerOptions: cachePoint };
  });
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
