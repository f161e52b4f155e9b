import type { CompletionRequest, Message } from "../contract.ts";

/** `max_tokens` is deprecated at OpenAI, whose reasoning models refuse it; most other servers know no other name. */
export type LimitField = "max_completion_tokens" | "max_tokens";

/** The body of `POST /chat/completions`. Source: OpenAI API reference, chat completions. */
export function openAiBody(request: CompletionRequest, model: string, limitField: LimitField): object {
  const { tools, toolChoice, responseFormat } = request;
  return {
    model,
    messages: request.messages.map(messageOf),
    stream: true,
    stream_options: { include_usage: true },
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.topP !== undefined && { top_p: request.topP }),
    ...(request.maxTokens !== undefined && { [limitField]: request.maxTokens }),
    ...(request.stop !== undefined && { stop: request.stop }),
    ...(tools &&
      tools.length > 0 &&
      toolChoice !== "none" && {
        tools: tools.map(({ name, description, inputSchema }) => ({
          type: "function",
          function: { name, description, parameters: inputSchema },
        })),
      }),
    ...(tools && tools.length > 0 && toolChoice === "required" && { tool_choice: "required" }),
    ...(responseFormat && {
      response_format: responseFormat.schema
        ? { type: "json_schema", json_schema: { name: "answer", schema: responseFormat.schema } }
        : { type: "json_object" },
    }),
  };
}

function messageOf({ role, content, toolCallId, toolCalls }: Message): object {
  if (role === "tool") return { role, tool_call_id: toolCallId ?? "", content: textOf(content) };
  if (role === "assistant") {
    return {
      role,
      content: textOf(content) || null,
      ...(toolCalls &&
        toolCalls.length > 0 && {
          tool_calls: toolCalls.map((call) => ({
            id: call.id,
            type: "function",
            function: { name: call.name, arguments: JSON.stringify(call.arguments) },
          })),
        }),
    };
  }
  if (role === "system" || typeof content === "string") return { role, content: textOf(content) };
  return {
    role,
    content: content.map((part) =>
      part.type === "text"
        ? part
        : {
            type: "image_url",
            image_url: { url: part.url ?? `data:${part.mediaType};base64,${part.data}` },
          },
    ),
  };
}

function textOf(content: Message["content"]): string {
  return typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
