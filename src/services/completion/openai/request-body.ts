import type { CompletionRequest, Message } from "../contract.ts";
import { isStrict } from "./strict-schema.ts";

/** OpenAI's own newest form of the protocol, or the form that the other servers share. */
export type Dialect = "openai" | "compatible";

/** The body of `POST /chat/completions`. Source: OpenAI API reference, chat completions. */
export function openAiBody(request: CompletionRequest, model: string, dialect: Dialect): object {
  const { tools, toolChoice, responseFormat } = request;
  return {
    model,
    messages: request.messages.map(messageOf),
    stream: true,
    stream_options: { include_usage: true },
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.topP !== undefined && { top_p: request.topP }),
    // the older name is refused by OpenAI's reasoning models; the other servers know no newer one
    ...(request.maxTokens !== undefined && {
      [dialect === "openai" ? "max_completion_tokens" : "max_tokens"]: request.maxTokens,
    }),
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
    ...(responseFormat && { response_format: formatOf(responseFormat.schema, dialect) }),
  };
}

function formatOf(schema: Record<string, unknown> | undefined, dialect: Dialect): object {
  if (!schema) return { type: "json_object" };
  const strict = dialect === "openai" && isStrict(schema);
  return {
    type: "json_schema",
    json_schema: { name: "answer", schema, ...(strict && { strict }) },
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
  return typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
