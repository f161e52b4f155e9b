import type { CompletionRequest, FilePart, Message } from "../contract.ts";
import { textOf } from "../message-text.ts";
import { isRecord } from "../../../platform/json/is-record.ts";
import { messageStateOf } from "../provider-state.ts";

/** The newest form of the protocol, which OpenAI speaks, or the form that other servers share. */
export type Dialect = "openai" | "compatible";

/** The body of `POST /chat/completions`. Source: OpenAI API reference, chat completions. */
export function openAiBody(
  request: CompletionRequest,
  model: string,
  dialect: Dialect,
): object {
  const { temperature, topP, maxTokens, stop, responseFormat } = request;
  // OpenAI's reasoning models refuse the older name; other servers know only that one
  const limit = dialect === "openai" ? "max_completion_tokens" : "max_tokens";
  return {
    ...request.providerFields,
    model,
    messages: request.messages.map(toMessage),
    stream: true,
    stream_options: { include_usage: true },
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxTokens !== undefined && { [limit]: maxTokens }),
    ...(stop !== undefined && { stop }),
    ...toRareOptions(request),
    ...toTools(request, dialect),
    ...(responseFormat && { response_format: toFormat(responseFormat.schema, dialect) }),
  };
}

function toTools(
  { tools = [], toolChoice, parallelToolCalls: parallel }: CompletionRequest,
  dialect: Dialect,
): object {
  if (tools.length === 0 || toolChoice === "none") return {};
  return {
    tools: tools.map(({ name, description, inputSchema, strict }) => ({
      type: "function",
      function: {
        name,
        description,
        parameters: inputSchema,
        // other servers know no such mode, and some refuse the word
        ...(strict && dialect === "openai" && { strict }),
      },
    })),
    ...(toolChoice === "required" && { tool_choice: "required" }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
  };
}

/** What is undefined is not written as JSON. */
function toRareOptions({
  frequencyPenalty: frequency_penalty,
  presencePenalty: presence_penalty,
  seed,
  logitBias: logit_bias,
  reasoningEffort: reasoning_effort,
  verbosity,
}: CompletionRequest): object {
  return {
    frequency_penalty,
    presence_penalty,
    seed,
    logit_bias,
    reasoning_effort,
    verbosity,
  };
}

function toFormat(schema: Record<string, unknown> | undefined, dialect: Dialect): object {
  if (!schema) return { type: "json_object" };
  const strict = dialect === "openai" && isStrict(schema);
  return {
    type: "json_schema",
    json_schema: { name: "answer", schema, ...(strict && { strict }) },
  };
}

function toMessage(message: Message): object {
  const { role, name, content, toolCallId, toolCalls = [] } = message;
  if (role === "tool")
    return { role, tool_call_id: toolCallId ?? "", content: textOf(message) };
  if (role === "assistant") {
    const calls = toolCalls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      ...asFields(call.state?.["call"]),
    }));
    const text = textOf(message) || null;
    const more = calls.length > 0 && {
      tool_calls: calls,
      ...asFields(messageStateOf(toolCalls)),
    };
    return { role, name, content: text, ...more };
  }
  if (role === "system" || typeof content === "string")
    return { role, name, content: textOf(message) };
  return { role, name, content: content.map(toPart) };
}

function asFields(state: unknown): object {
  return isRecord(state) ? state : {};
}

function toPart(part: Exclude<Message["content"], string>[number]): object {
  if (part.type === "text") return part;
  if (part.type === "file") return toFilePart(part);
  const url = part.url ?? `data:${part.mediaType};base64,${part.data}`;
  return { type: "image_url", image_url: { url, detail: part.detail } };
}

/** Source: OpenAI API reference, chat completions: content parts of files and of sound. */
function toFilePart({ mediaType, data, name }: FilePart): object {
  if (mediaType !== "application/pdf") {
    const format = mediaType === "audio/mpeg" ? "mp3" : mediaType.slice("audio/".length);
    return { type: "input_audio", input_audio: { data, format } };
  }
  const file = {
    filename: name ?? "document.pdf",
    file_data: `data:${mediaType};base64,${data}`,
  };
  return { type: "file", file };
}

/** Keywords of OpenAI's strict mode. Source: OpenAI guide, structured outputs. */
const STRICT_KEYWORDS = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "enum",
  "const",
  "$ref",
  "$defs",
  "$schema",
  "title",
  "description",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
]);
const MAX_SCHEMA_DEPTH = 10;

/**
 * Whether OpenAI's strict mode accepts a schema. It refuses the whole request where an object may
 * hold more than its required properties, or where it does not know a keyword. Without strict mode
 * the model may ignore a schema.
 */
export function isStrict(schema: Record<string, unknown>): boolean {
  return schema["type"] === "object" && !("anyOf" in schema) && isStrictPart(schema, 1);
}

function isStrictPart(schema: unknown, depth: number): boolean {
  if (!isRecord(schema) || depth > MAX_SCHEMA_DEPTH) return false;
  if (Object.keys(schema).some((keyword) => !STRICT_KEYWORDS.has(keyword))) return false;
  const { properties = {}, required = [], anyOf = [], items, $defs = {} } = schema;
  if (!isRecord(properties) || !isRecord($defs)) return false;
  if (!Array.isArray(required) || !Array.isArray(anyOf)) return false;
  const isObject = schema["type"] === "object" || "properties" in schema;
  const isClosed =
    schema["additionalProperties"] === false &&
    Object.keys(properties).every((name) => required.includes(name));
  if (isObject && !isClosed) return false;
  const parts = [...Object.values(properties), ...Object.values($defs), ...anyOf];
  if (items !== undefined) parts.push(items);
  return parts.every((part) => isStrictPart(part, depth + 1));
}
