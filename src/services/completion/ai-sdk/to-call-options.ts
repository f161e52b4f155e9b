import type { LanguageModelV3CallOptions, LanguageModelV3Message } from "@ai-sdk/provider";
import type { CompletionRequest, Message } from "../contract.ts";
import { textOf } from "../message-text.ts";

/** The options of `doStream` for a request. */
export function toCallOptions(request: CompletionRequest): LanguageModelV3CallOptions {
  const { messages, maxTokens, temperature, topP, stop } = request;
  return {
    prompt: toPrompt(messages),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stop !== undefined && { stopSequences: stop }),
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
  const calls = toolCalls.map(({ id, name, arguments: input }) => ({
    type: "tool-call" as const,
    toolCallId: id,
    toolName: name,
    input,
  }));
  return text ? [{ type: "text" as const, text }, ...calls] : calls;
}

function toUserContent({ content }: Message) {
  if (typeof content === "string") return [{ type: "text" as const, text: content }];
  return content.map((part) => {
    if (part.type === "text") return part;
    const data = part.url ? new URL(part.url) : (part.data ?? "");
    return { type: "file" as const, mediaType: part.mediaType, data };
  });
}
