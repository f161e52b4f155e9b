import { BadRequest } from "../../../platform/http/errors.ts";
import { JsonMeter } from "../../../platform/json/json-limits.ts";
import type { CompletionRequest, Message, ToolDescriptor } from "../../completion/contract.ts";
import type { ChatMessage, ChatRequest } from "./contract.ts";

/** As deep as a model's own arguments. */
const MAX_ARGUMENTS_DEPTH = 64;

/**
 * A request in our own words, without its model.
 * @throws BadRequest for what cannot be said in them.
 */
export function completionOf(request: ChatRequest): Omit<CompletionRequest, "model" | "stream"> {
  const {
    messages,
    tools,
    tool_choice: choice,
    temperature,
    top_p: topP,
    stop,
    response_format: format,
  } = request;
  const meter = new JsonMeter({ maxDepth: MAX_ARGUMENTS_DEPTH });
  const maxTokens = request.max_completion_tokens ?? request.max_tokens;
  const one = typeof choice === "object" && choice !== null ? choice.function.name : undefined;
  const descriptors = (tools ?? []).map((tool): ToolDescriptor => ({
    name: tool.function.name,
    description: tool.function.description ?? "",
    inputSchema: tool.function.parameters ?? { type: "object", properties: {} },
  }));
  const offered = one === undefined ? descriptors : descriptors.filter(({ name }) => name === one);
  if (one !== undefined && offered.length === 0)
    throw new BadRequest(
      "tool_choice_unknown",
      `tool_choice names "${one}", which is not among the tools.`,
    );
  return {
    messages: messages.map((message) => messageOf(message, meter)),
    ...(offered.length > 0 && {
      tools: offered,
      toolChoice: one === undefined ? choiceOf(choice) : "required",
    }),
    ...(typeof temperature === "number" && { temperature }),
    ...(typeof topP === "number" && { topP }),
    ...(typeof maxTokens === "number" && { maxTokens }),
    ...(stop && { stop: typeof stop === "string" ? [stop] : stop }),
    ...(format?.type === "json_object" && { responseFormat: { type: "json" as const } }),
    ...(format?.type === "json_schema" && {
      responseFormat: { type: "json" as const, schema: format.json_schema.schema ?? {} },
    }),
  };
}

function choiceOf(choice: ChatRequest["tool_choice"]): "auto" | "none" | "required" {
  return typeof choice === "string" ? choice : "auto";
}

function messageOf(
  { role, content, tool_calls: calls, tool_call_id: toolCallId }: ChatMessage,
  meter: JsonMeter,
): Message {
  return {
    role: role === "developer" ? "system" : role,
    content: contentOf(content),
    ...(toolCallId && { toolCallId }),
    ...(calls &&
      calls.length > 0 && {
        toolCalls: calls.map(({ id, function: { name, arguments: text } }) => ({
          id,
          type: "tool_call" as const,
          name,
          arguments: argumentsOf(text, meter),
        })),
      }),
  };
}

function contentOf(content: ChatMessage["content"]): Message["content"] {
  if (content === null || content === undefined) return "";
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part : imageOf(part.image_url.url)));
}

function imageOf(url: string): { type: "image"; mediaType: string; data?: string; url?: string } {
  const inline = /^data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/=]+)$/.exec(url);
  if (inline?.[1] && inline[2]) return { type: "image", mediaType: inline[1], data: inline[2] };
  if (!/^https?:\/\//.test(url))
    throw new BadRequest(
      "image_invalid",
      "An image is a data: URL in base64 or an address that begins with http.",
    );
  const extension = /\.(png|gif|webp)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? "jpeg";
  return { type: "image", mediaType: `image/${extension}`, url };
}

/** JSON within JSON: all of a request's together hold no more than one body may. */
function argumentsOf(text: string, meter: JsonMeter): Record<string, unknown> {
  try {
    meter.pushText(text);
    const value: unknown = JSON.parse(text || "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>; // an object that is no array
  } catch {
    // told below
  }
  throw new BadRequest(
    "tool_arguments_invalid",
    "The arguments of a tool call in the messages are not a JSON object.",
  );
}
