import { BadRequest } from "../../../platform/http/errors.ts";
import { JsonMeter } from "../../../platform/json/json-limits.ts";
import type {
  CompletionRequest,
  Message,
  ToolDescriptor,
} from "../../completion/contract.ts";
import type { ChatMessage, ChatRequest } from "./contract.ts";
import { isRecord } from "../../../platform/json/is-record.ts";

/** The limit for the arguments of a model's own calls. */
const MAX_ARGUMENTS_DEPTH = 64;

/** A request to the completion service without its model. */
export type CompletionOptions = Omit<CompletionRequest, "model" | "stream">;

/** @throws BadRequest for what the completion service cannot do. */
export function toCompletionOptions(request: ChatRequest): CompletionOptions {
  const { temperature, top_p: topP, stop } = request;
  const meter = new JsonMeter({ maxDepth: MAX_ARGUMENTS_DEPTH });
  const maxTokens = request.max_completion_tokens ?? request.max_tokens;
  const responseFormat = toResponseFormat(request.response_format);
  const options: CompletionOptions = {
    messages: request.messages.map((message) => toMessage(message, meter)),
    ...chooseTools(request),
  };
  if (typeof temperature === "number") options.temperature = temperature;
  if (typeof topP === "number") options.topP = topP;
  if (typeof maxTokens === "number") options.maxTokens = maxTokens;
  if (stop) options.stop = typeof stop === "string" ? [stop] : stop;
  if (responseFormat) options.responseFormat = responseFormat;
  return options;
}

/** The tools to offer; a `tool_choice` that names one offers that one alone. */
function chooseTools({
  tools,
  tool_choice: choice,
}: ChatRequest): Pick<CompletionOptions, "tools" | "toolChoice"> {
  const descriptors = (tools ?? []).map(toDescriptor);
  if (typeof choice !== "object" || choice === null) {
    if (descriptors.length === 0) return {};
    return { tools: descriptors, toolChoice: choice ?? "auto" };
  }
  const { name } = choice.function;
  const chosen = descriptors.filter((tool) => tool.name === name);
  if (chosen.length === 0)
    throw new BadRequest(
      "tool_choice_unknown",
      `tool_choice names "${name}", which is not among the tools. Add it to them, or ` +
        "name another.",
    );
  return { tools: chosen, toolChoice: "required" };
}

function toDescriptor({
  function: { name, description, parameters },
}: NonNullable<ChatRequest["tools"]>[number]): ToolDescriptor {
  const inputSchema = parameters ?? { type: "object", properties: {} };
  return { name, description: description ?? "", inputSchema };
}

function toResponseFormat(
  format: ChatRequest["response_format"],
): CompletionOptions["responseFormat"] {
  if (format?.type === "json_object") return { type: "json" };
  if (format?.type !== "json_schema") return undefined;
  return { type: "json", schema: format.json_schema.schema ?? {} };
}

function toMessage(
  { role, content, tool_calls: calls, tool_call_id: toolCallId }: ChatMessage,
  meter: JsonMeter,
): Message {
  const message: Message = {
    role: role === "developer" ? "system" : role,
    content: toContent(content),
  };
  if (toolCallId) message.toolCallId = toolCallId;
  if (calls && calls.length > 0)
    message.toolCalls = calls.map(({ id, function: { name, arguments: text } }) => ({
      id,
      type: "tool_call" as const,
      name,
      arguments: parseArguments(text, meter),
    }));
  return message;
}

function toContent(content: ChatMessage["content"]): Message["content"] {
  if (content === null || content === undefined) return "";
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part : toImage(part.image_url.url)));
}

function toImage(url: string): {
  type: "image";
  mediaType: string;
  data?: string;
  url?: string;
} {
  const inline = /^data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/=]+)$/.exec(url);
  if (inline?.[1] && inline[2])
    return { type: "image", mediaType: inline[1], data: inline[2] };
  if (!/^https?:\/\//.test(url))
    throw new BadRequest(
      "image_invalid",
      "Send an image as a data: URL in base64, or as a URL that begins with http.",
    );
  const extension = /\.(png|gif|webp)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? "jpeg";
  return { type: "image", mediaType: `image/${extension}`, url };
}

/** Parses JSON nested in JSON. One meter limits the arguments of a whole request. */
function parseArguments(text: string, meter: JsonMeter): Record<string, unknown> {
  try {
    meter.pushText(text);
    const value: unknown = JSON.parse(text || "{}");
    if (isRecord(value)) return value;
  } catch {
    // reported below
  }
  throw new BadRequest(
    "tool_arguments_invalid",
    "The arguments of a tool call in the messages are not a JSON object. Send them as " +
      "they came.",
  );
}
