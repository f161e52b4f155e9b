import { BadRequest } from "../../../platform/http/errors.ts";
import { JsonLimitExceeded, JsonMeter } from "../../../platform/json/json-limits.ts";
import type {
  CompletionRequest,
  Message,
  ToolCall,
  ToolDescriptor,
} from "../../completion/contract.ts";
import type { RareOption } from "../../completion/contract-model-parameters.ts";
import {
  type ChatMessage,
  ChatRequest,
  type FilePart,
  type FunctionCall,
} from "./contract.ts";
import type {
  FileReader,
  GivenFile,
  Place,
  Recording,
} from "../given-files/given-files.ts";
import { type SoundPart, soundType } from "./contract-sound.ts";
import { toDataUrl, toFile } from "./to-file.ts";
import { providerFields } from "./provider-fields.ts";
import { toImage } from "./to-image.ts";
import { isRecord } from "../../../platform/json/is-record.ts";

/** The limit for the arguments of a model's own calls. */
export const MAX_ARGUMENTS_DEPTH = 64;

/** The messages with texts and pictures in place of their files. @throws as `FileReader.read`. */
export async function readMessageFiles(
  messages: readonly ChatMessage[],
  files: FileReader,
): Promise<ChatMessage[]> {
  const read: ChatMessage[] = [];
  for (const message of messages) {
    const { content } = message;
    if (!Array.isArray(content)) {
      read.push(message);
      continue;
    }
    const parts: typeof content = [];
    for (const part of content)
      parts.push(await readPart(part, files, { ofUser: message.role === "user" }));
    read.push({ ...message, content: parts });
  }
  return read;
}

type GivenPart = Exclude<NonNullable<ChatMessage["content"]>, string>[number];

async function readPart(
  part: GivenPart,
  files: FileReader,
  place: Place,
): Promise<GivenPart> {
  if (part.type !== "file" && part.type !== "input_audio") return part;
  const read = await (part.type === "file"
    ? files.read(fileOf(part), place)
    : files.hear(soundOf(part), place));
  if ("file" in read)
    return {
      type: "file",
      file: { file_data: toDataUrl(read.file), filename: read.file.name },
    };
  return "text" in read
    ? { type: "text", text: read.text }
    : { type: "image_url", image_url: { url: read.picture } };
}

function fileOf({ file }: FilePart): GivenFile {
  const { file_id: fileId, file_data: data, filename: name } = file;
  return { fileId, data, name };
}

export function soundOf({ input_audio: { data, format } }: SoundPart): Recording {
  return { data, mediaType: soundType(format), name: `recording.${format}` };
}

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
    ...chooseRareOptions(request),
  };
  if (typeof temperature === "number") options.temperature = temperature;
  if (typeof topP === "number") options.topP = topP;
  if (typeof maxTokens === "number") options.maxTokens = maxTokens;
  if (stop) options.stop = typeof stop === "string" ? [stop] : stop;
  if (responseFormat) options.responseFormat = responseFormat;
  return options;
}

/** Those that differ from what holds without them: many clients send them all. */
function chooseRareOptions(request: ChatRequest): Pick<CompletionOptions, RareOption> {
  const { frequency_penalty, presence_penalty, logit_bias, seed } = request;
  const { parallel_tool_calls, reasoning_effort, verbosity } = request;
  const fields = providerFields(request, ChatRequest.shape);
  return {
    ...(frequency_penalty && { frequencyPenalty: frequency_penalty }),
    ...(presence_penalty && { presencePenalty: presence_penalty }),
    ...(logit_bias && Object.keys(logit_bias).length > 0 && { logitBias: logit_bias }),
    ...(typeof seed === "number" && { seed }),
    ...(parallel_tool_calls === false && { parallelToolCalls: false }),
    ...(reasoning_effort && { reasoningEffort: reasoning_effort }),
    ...(verbosity && { verbosity }),
    ...(Object.keys(fields).length > 0 && { providerFields: fields }),
  };
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
  if (chosen.length === 0) throw toolChoiceUnknown(name);
  return { tools: chosen, toolChoice: "required" };
}

/** A choice of a tool that is not among those which the client runs. */
export function toolChoiceUnknown(name: string): BadRequest {
  return new BadRequest(
    "tool_choice_unknown",
    `tool_choice names "${name}", which is not among the tools that the client runs. Add it ` +
      "to them, or name another.",
  );
}

function toDescriptor({
  function: { name, description, parameters, strict },
}: NonNullable<ChatRequest["tools"]>[number]): ToolDescriptor {
  const inputSchema = parameters ?? { type: "object", properties: {} };
  return { name, description: description ?? "", inputSchema, ...(strict && { strict }) };
}

function toResponseFormat(
  format: ChatRequest["response_format"],
): CompletionOptions["responseFormat"] {
  if (format?.type === "json_object") return { type: "json" };
  if (format?.type !== "json_schema") return undefined;
  return { type: "json", schema: format.json_schema.schema ?? {} };
}

function toMessage(
  { role, name, content, tool_calls: calls, tool_call_id: toolCallId }: ChatMessage,
  meter: JsonMeter,
): Message {
  const message: Message = {
    role: role === "developer" ? "system" : role,
    content: toContent(content),
  };
  if (name) message.name = name;
  if (toolCallId) message.toolCallId = toolCallId;
  if (calls && calls.length > 0)
    message.toolCalls = calls.map((call) => toToolCall(call, meter));
  return message;
}

function toToolCall(
  { id, function: { name, arguments: text }, extra_content: extra }: FunctionCall,
  meter: JsonMeter,
): ToolCall {
  const state = extra?.["parlance"];
  return {
    id,
    type: "tool_call",
    name,
    ...parseArguments(text, meter),
    ...(isRecord(state) && { state }),
  };
}

function toContent(content: ChatMessage["content"]): Message["content"] {
  if (content === null || content === undefined) return "";
  if (typeof content === "string") return content;
  return content.map((part) => {
    if (part.type === "text") return part;
    if (part.type === "refusal") return { type: "text" as const, text: part.refusal };
    // each was read before: what is left goes as it is
    if (part.type === "file") return toFile(part.file.file_data, part.file.filename);
    if (part.type === "input_audio") throw new Error("A recording was not read.");
    return toImage(part.image_url.url, part.image_url.detail);
  });
}

/**
 * Parses JSON nested in JSON. One meter limits the arguments of a whole request. A model's broken
 * arguments are a part of its history.
 */
export function parseArguments(
  text: FunctionCall["function"]["arguments"],
  meter: JsonMeter,
): Pick<ToolCall, "arguments" | "unreadable"> {
  if (typeof text !== "string") return { arguments: text };
  try {
    meter.pushText(text);
    const value: unknown = JSON.parse(text || "{}");
    if (isRecord(value)) return { arguments: value };
  } catch (error) {
    if (error instanceof JsonLimitExceeded)
      throw new BadRequest(
        "tool_arguments_invalid",
        `The arguments of a tool call in the messages are too large. Send smaller ones. ${error.message}`,
      );
  }
  return { arguments: {}, unreadable: text };
}
