import { BadRequest } from "../../../../platform/http/errors.ts";
import { JsonMeter } from "../../../../platform/json/json-limits.ts";
import type { Message, ToolCall } from "../../../completion/contract.ts";
import { decodeStates } from "../call-state.ts";
import type { ReadFile } from "../../given-files/as-text.ts";
import type { FileReader, GivenFile, Place } from "../../given-files/given-files.ts";
import { toDataUrl, toFile } from "../to-file.ts";
import { toImage } from "../to-image.ts";
import {
  type CompletionOptions,
  MAX_ARGUMENTS_DEPTH,
  parseArguments,
  soundOf,
} from "../to-messages.ts";
import type { ResponseRequest } from "./contract.ts";
import type { FilePart, Item, Part, StoredItem } from "./contract-items.ts";
import { chooseTools, modelName, type OfferedTools } from "./offer-tools.ts";

/**
 * A request to the completion service.
 * @param items all of the conversation: of the responses before, then the request's.
 * @throws BadRequest for what the completion service cannot do.
 */
export function toCompletionOptions(
  request: ResponseRequest,
  items: readonly StoredItem[],
  offered: OfferedTools,
): CompletionOptions {
  const {
    temperature,
    top_p: topP,
    max_output_tokens: maxTokens,
    text,
    reasoning,
  } = request;
  const responseFormat = toResponseFormat(text?.format);
  const options: CompletionOptions = {
    messages: toMessages(request.instructions, items),
    ...chooseTools(offered, request),
    ...(responseFormat && { responseFormat }),
    ...(reasoning?.effort && { reasoningEffort: reasoning.effort }),
    ...(text?.verbosity && { verbosity: text.verbosity }),
  };
  if (typeof temperature === "number") options.temperature = temperature;
  if (typeof topP === "number") options.topP = topP;
  if (typeof maxTokens === "number") options.maxTokens = maxTokens;
  return options;
}

type Format = NonNullable<ResponseRequest["text"]>["format"];

function toResponseFormat(format: Format): CompletionOptions["responseFormat"] {
  if (format?.type === "json_object") return { type: "json" };
  if (format?.type !== "json_schema") return undefined;
  return { type: "json", schema: format.schema };
}

function toMessages(
  instructions: string | null | undefined,
  items: readonly StoredItem[],
): Message[] {
  const messages: Message[] = instructions
    ? [{ role: "system", content: instructions }]
    : [];
  const meter = new JsonMeter({ maxDepth: MAX_ARGUMENTS_DEPTH });
  const states = decodeStates(
    items.flatMap((item) =>
      item.type === "reasoning" && item.encrypted_content ? [item.encrypted_content] : [],
    ),
  );
  for (const item of items) addItem(messages, item, { meter, states });
  if (messages.every(({ role }) => role === "system")) throw nothingAsked();
  return messages;
}

interface Reading {
  /** One limits the arguments of a whole request. */
  meter: JsonMeter;
  states: ReadonlyMap<string, NonNullable<ToolCall["state"]>>;
}

/** The thoughts of a model are not sent back, but for what its provider wants with the calls. */
function addItem(messages: Message[], item: StoredItem, { meter, states }: Reading): void {
  switch (item.type) {
    case "message": {
      const role = item.role === "developer" ? "system" : item.role;
      messages.push({ role, content: toContent(item.content, role) });
      break;
    }
    case "function_call":
    case "custom_tool_call": {
      const { call_id: id, name, namespace } = item;
      const given =
        item.type === "function_call"
          ? parseArguments(item.arguments, meter)
          : { arguments: { input: item.input } };
      const state = states.get(id);
      addCall(messages, {
        id,
        type: "tool_call",
        name: modelName(name, namespace),
        ...given,
        ...(state && { state }),
      });
      break;
    }
    case "function_call_output":
    case "custom_tool_call_output":
      messages.push({
        role: "tool",
        toolCallId: item.call_id,
        content: toContent(item.output, "tool"),
      });
      break;
  }
}

/** Calls of one turn, and the text before them, are one message. */
function addCall(messages: Message[], call: ToolCall): void {
  const last = messages.at(-1);
  if (last?.role !== "assistant") {
    messages.push({ role: "assistant", content: "", toolCalls: [call] });
    return;
  }
  last.toolCalls = [...(last.toolCalls ?? []), call];
}

function toContent(
  content: string | readonly Part[],
  role: Message["role"],
): Message["content"] {
  if (typeof content === "string") return content;
  const parts = content.map(toPart);
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return role !== "user" && texts.length === parts.length ? texts.join("") : parts;
}

function toPart(part: Part): Exclude<Message["content"], string>[number] {
  switch (part.type) {
    case "refusal":
      return { type: "text", text: part.refusal };
    case "input_image":
      if (part.image_url) return toImage(part.image_url);
      throw imageUnsupported();
    case "input_file":
      // each was read before: what is left goes as it is
      return toFile(part.file_data, part.filename);
    case "input_audio":
      throw new Error("A recording was not read.");
    default:
      return { type: "text", text: part.text };
  }
}

function imageUnsupported(): BadRequest {
  return new BadRequest(
    "document_unsupported",
    "An image is named by its image_url here. Send it as a data: URL, or as an input_file with its " +
      "file_id.",
  );
}

/**
 * The items with texts and pictures in place of their files, but for those that the model takes as
 * they are. @throws as `FileReader.read`.
 */
export async function readItemFiles<Given extends Item>(
  items: readonly Given[],
  files: FileReader,
  isEarlier = false,
): Promise<Given[]> {
  const read: Given[] = [];
  for (const item of items) {
    if ("content" in item && Array.isArray(item.content)) {
      const ofUser = "role" in item && item.role === "user";
      const content = await readParts(item.content, files, { ofUser, isEarlier });
      read.push({ ...item, content });
    } else if ("output" in item && Array.isArray(item.output))
      read.push({ ...item, output: await readParts(item.output, files, { isEarlier }) });
    else read.push(item);
  }
  return read;
}

async function readParts(
  parts: readonly Part[],
  files: FileReader,
  place: Place,
): Promise<Part[]> {
  const read: Part[] = [];
  for (const part of parts)
    if (part.type === "input_file")
      read.push(toPartOf(await files.read(fileOf(part), place)));
    else if (part.type === "input_audio")
      read.push(toPartOf(await files.hear(soundOf(part), place)));
    else read.push(part);
  return read;
}

function fileOf({
  file_id: fileId,
  file_data: data,
  file_url: url,
  filename: name,
}: FilePart): GivenFile {
  return { fileId, data, url, name };
}

function toPartOf(read: ReadFile): Part {
  if ("file" in read)
    return {
      type: "input_file",
      file_data: toDataUrl(read.file),
      filename: read.file.name,
    };
  return "text" in read
    ? { type: "input_text", text: read.text }
    : { type: "input_image", image_url: read.picture };
}

function nothingAsked(): BadRequest {
  return new BadRequest(
    "input_missing",
    "There is nothing to answer: send input, or previous_response_id.",
  );
}
