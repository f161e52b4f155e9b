import type { Message, ToolCall, ToolDescriptor } from "../../completion/contract.ts";
import { toFile } from "../openai-api/to-file.ts";
import type { FileReader, GivenFile, Place } from "../given-files/given-files.ts";
import { decodeStates } from "../openai-api/call-state.ts";
import { toImage } from "../openai-api/to-image.ts";
import { type CompletionOptions, toolChoiceUnknown } from "../openai-api/to-messages.ts";
import type {
  Block,
  CountRequest,
  GivenBlock,
  GivenMessage,
  MessagesRequest,
} from "./contract.ts";

type Part = Exclude<Message["content"], string>[number];
type Tool = NonNullable<MessagesRequest["tools"]>[number];

/** @throws BadRequest for what the completion service cannot do. */
export function toCompletionOptions(request: MessagesRequest): CompletionOptions {
  const { temperature, top_p: topP, stop_sequences: stop } = request;
  const options: CompletionOptions = {
    ...readQuestion(request),
    maxTokens: request.max_tokens,
  };
  if (typeof temperature === "number") options.temperature = temperature;
  if (typeof topP === "number") options.topP = topP;
  if (stop && stop.length > 0) options.stop = stop;
  return options;
}

/** What a model reads of a request. */
export function readQuestion(request: CountRequest): CompletionOptions {
  const { system, messages, output_config: config } = request;
  const instructions =
    typeof system === "string"
      ? system
      : (system ?? []).map(({ text }) => text).join("\n\n");
  return {
    messages: [
      ...(instructions ? [{ role: "system" as const, content: instructions }] : []),
      ...messages.flatMap(toMessages),
    ],
    ...chooseTools(request),
    ...(config?.format && {
      responseFormat: { type: "json" as const, schema: config.format.schema },
    }),
  };
}

/** Tools that Anthropic runs are left out, unless the choice names one. */
function chooseTools({
  tools,
  tool_choice: choice,
}: CountRequest): Pick<CompletionOptions, "tools" | "toolChoice" | "parallelToolCalls"> {
  const offered = (tools ?? []).flatMap(toDescriptor);
  if (choice?.type === "tool") {
    const chosen = offered.filter(({ name }) => name === choice.name);
    if (chosen.length === 0) throw toolChoiceUnknown(choice.name);
    return { tools: chosen, toolChoice: "required" };
  }
  if (offered.length === 0) return {};
  const single = choice && choice.type !== "none" && choice.disable_parallel_tool_use;
  return {
    tools: offered,
    toolChoice: choice?.type === "any" ? "required" : (choice?.type ?? "auto"),
    ...(single && { parallelToolCalls: false }),
  };
}

function toDescriptor(tool: Tool): ToolDescriptor[] {
  if (!("input_schema" in tool)) return [];
  const { name, description, input_schema: inputSchema } = tool;
  return [{ name, description: description ?? "", inputSchema }];
}

/** Results of tools come first: they answer the message before. */
function toMessages({ role, content }: GivenMessage): Message[] {
  if (typeof content === "string") return content ? [{ role, content }] : [];
  if (role === "assistant") return toAssistant(content);
  const results = content.flatMap((block) =>
    block.type === "tool_result"
      ? [
          {
            role: "tool" as const,
            toolCallId: block.tool_use_id,
            content: toContent(block.content ?? ""),
          },
        ]
      : [],
  );
  const parts = content.flatMap((block) => (isGiven(block) ? toParts(block) : []));
  return [...results, ...(parts.length > 0 ? [{ role, content: parts }] : [])];
}

function isGiven(block: Block): block is GivenBlock {
  return ["text", "image", "document", "search_result"].includes(block.type);
}

/** Thoughts are not sent back, but for what a provider wants back with its calls. */
function toAssistant(content: readonly Block[]): Message[] {
  let text = "";
  const calls: ToolCall[] = [];
  const states = decodeStates(
    content.flatMap((block) => (block.type === "redacted_thinking" ? [block.data] : [])),
  );
  for (const block of content) {
    if (block.type === "text") text += block.text;
    if (block.type !== "tool_use") continue;
    const { id, name, input } = block;
    const state = states.get(id);
    calls.push({ id, type: "tool_call", name, arguments: input, ...(state && { state }) });
  }
  if (text === "" && calls.length === 0) return [];
  return [
    { role: "assistant", content: text, ...(calls.length > 0 && { toolCalls: calls }) },
  ];
}

function toContent(content: string | readonly GivenBlock[]): Message["content"] {
  return typeof content === "string" ? content : content.flatMap(toParts);
}

function toParts(block: GivenBlock): Part[] {
  switch (block.type) {
    case "text":
      return block.text ? [{ type: "text", text: block.text }] : [];
    case "image":
      return [readImage(block)];
    case "search_result": {
      const { title, source, content } = block;
      const words = content.map(({ text }) => text).join("\n\n");
      return [{ type: "text", text: `${title} (${source})\n\n${words}` }];
    }
    case "document":
      return readDocument(block);
  }
}

function readImage({ source }: Extract<GivenBlock, { type: "image" }>): Part {
  return source.type === "url"
    ? toImage(source.url)
    : toImage(`data:${source.media_type};base64,${source.data}`);
}

function readDocument({
  title,
  context,
  source,
}: Extract<GivenBlock, { type: "document" }>): Part[] {
  const head = [title, context].flatMap((text) =>
    text ? [{ type: "text" as const, text }] : [],
  );
  if (source.type === "text") return [...head, { type: "text", text: source.data }];
  if (source.type === "content") {
    const { content } = source;
    if (typeof content === "string") return [...head, { type: "text", text: content }];
    return [...head, ...content.flatMap(toParts)];
  }
  // each was read before: what is left goes as it is
  if (source.type === "base64")
    return [...head, toFile(`data:${source.media_type};base64,${source.data}`, title)];
  throw new Error("A file was not read.");
}

/** The messages with texts and pictures in place of files. @throws as `FileReader.read`. */
export async function readMessageFiles(
  messages: readonly GivenMessage[],
  files: FileReader,
): Promise<GivenMessage[]> {
  const read: GivenMessage[] = [];
  for (const message of messages) {
    const { content } = message;
    if (typeof content === "string") read.push(message);
    else {
      const isOfUser = message.role === "user";
      read.push({ ...message, content: await readBlocks(content, files, isOfUser) });
    }
  }
  return read;
}

async function readBlocks(
  blocks: readonly Block[],
  files: FileReader,
  isOfUser: boolean,
): Promise<Block[]> {
  const read: Block[] = [];
  for (const block of blocks) {
    if (block.type === "document")
      read.push(await readBlock(block, files, { ofUser: isOfUser }));
    else if (block.type === "tool_result" && Array.isArray(block.content)) {
      const content: GivenBlock[] = [];
      for (const part of block.content)
        content.push(part.type === "document" ? await readBlock(part, files) : part);
      read.push({ ...block, content });
    } else read.push(block);
  }
  return read;
}

async function readBlock(
  block: Extract<GivenBlock, { type: "document" }>,
  files: FileReader,
  place: Place = {},
): Promise<GivenBlock> {
  const { source, title } = block;
  if (source.type === "text" || source.type === "content") return block;
  const read = await files.read({ name: title, ...fileOf(source) }, place);
  if ("file" in read) {
    const { mediaType, data, name } = read.file;
    const asIs = { type: "base64" as const, media_type: mediaType, data };
    return { ...block, title: title ?? name, source: asIs };
  }
  if ("text" in read) return { ...block, source: { type: "text", data: read.text } };
  return { type: "image", source: { type: "url", url: read.picture } };
}

type Source = Extract<GivenBlock, { type: "document" }>["source"];

function fileOf(source: Extract<Source, { type: "base64" | "url" | "file" }>): GivenFile {
  if (source.type === "file") return { fileId: source.file_id };
  if (source.type === "url") return { url: source.url };
  return { data: `data:${source.media_type};base64,${source.data}` };
}
