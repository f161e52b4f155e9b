import { z } from "zod";
import { bodyText, jsonObject } from "../../../../platform/http/bounds.ts";
import { MAX_BODY_BYTES } from "../../../../platform/http/route.ts";
import { AttributeFilter } from "../../../documents/contract-attributes.ts";
import { SoundPart } from "../contract-sound.ts";
import {
  MaxResults,
  RankingOptions,
} from "../../../retrieval/openai-api/contract-search.ts";

/** What a request for a response holds: items and tools. */

const Id = z.string().min(1).max(1_000);
const ToolName = z.string().min(1).max(300);
const Namespace = z.string().min(1).max(300).nullish();
const ItemId = z.string().max(1_000).nullish();

const TextPart = z.object({
  type: z.enum(["input_text", "output_text", "text"]),
  text: bodyText(),
});
const RefusalPart = z.object({ type: z.literal("refusal"), refusal: bodyText() });
const ImagePart = z.object({
  type: z.literal("input_image"),
  image_url: z.string().max(20_000_000).nullish(),
});
const FilePart = z.object({
  type: z.literal("input_file"),
  file_id: z.string().max(1_000).nullish(),
  file_data: z.string().max(MAX_BODY_BYTES).nullish().describe("In base64, or a data: URL"),
  file_url: z.string().max(10_000).nullish().describe("Refused: send the file itself"),
  filename: z.string().max(1_000).nullish(),
});
const Part = z.discriminatedUnion("type", [
  TextPart,
  RefusalPart,
  ImagePart,
  FilePart,
  SoundPart,
]);
export type Part = z.output<typeof Part>;
export type FilePart = z.output<typeof FilePart>;
const Content = z.union([bodyText(), z.array(Part).max(10_000)]);

const Message = z.object({
  type: z.literal("message").default("message"),
  id: ItemId,
  role: z.enum(["user", "assistant", "system", "developer"]),
  content: Content,
});
export const FunctionCall = z.object({
  type: z.literal("function_call"),
  id: ItemId,
  call_id: Id,
  name: ToolName,
  namespace: Namespace,
  arguments: bodyText(),
});
const FunctionOutput = z.object({
  type: z.literal("function_call_output"),
  id: ItemId,
  call_id: Id,
  output: Content,
});
export const CustomCall = z.object({
  type: z.literal("custom_tool_call"),
  id: ItemId,
  call_id: Id,
  name: ToolName,
  namespace: Namespace,
  input: bodyText(),
});
const CustomOutput = z.object({
  type: z.literal("custom_tool_call_output"),
  id: ItemId,
  call_id: Id,
  output: Content,
});
const Reasoning = z.object({
  type: z.literal("reasoning"),
  id: ItemId,
  summary: z.array(z.object({ type: z.string().max(100), text: bodyText() })).max(1_000),
  encrypted_content: bodyText().nullish(),
});
/** A search that ran here: what it found is in the answer that followed. */
const FileSearchCall = z.object({
  type: z.literal("file_search_call"),
  id: ItemId,
  queries: z.array(bodyText()).max(100).nullish(),
  results: z.array(z.unknown()).max(100).nullish(),
});
const Reference = z.object({ type: z.literal("item_reference"), id: Id });
const Typed = z.discriminatedUnion("type", [
  Message.extend({ type: z.literal("message") }),
  FunctionCall,
  FunctionOutput,
  CustomCall,
  CustomOutput,
  Reasoning,
  FileSearchCall,
  Reference,
]);
/** Some clients leave out the type of a message. */
export const Item = z.union([Typed, Message]);
export type Item = z.output<typeof Item>;
export type StoredItem = Exclude<Item, { type: "item_reference" }>;

const FunctionTool = z.object({
  type: z.literal("function"),
  name: ToolName,
  description: bodyText().nullish(),
  parameters: jsonObject().nullish(),
});
const CustomTool = z.object({
  type: z.literal("custom"),
  name: ToolName,
  description: bodyText().nullish(),
  format: z
    .object({
      type: z.string().max(100),
      syntax: z.string().max(100).nullish(),
      definition: bodyText().nullish(),
    })
    .nullish(),
});
const NamespaceTool = z.object({
  type: z.literal("namespace"),
  name: ToolName,
  description: bodyText().nullish(),
  tools: z.array(z.discriminatedUnion("type", [FunctionTool, CustomTool])).max(512),
});
export type ClientTool = z.output<typeof FunctionTool> | z.output<typeof CustomTool>;
const FileSearchTool = z.object({
  type: z.literal("file_search"),
  vector_store_ids: z
    .array(z.string().max(60))
    .max(20)
    .nullish()
    .describe("Without any, all documents that the caller may see"),
  max_num_results: MaxResults,
  filters: AttributeFilter.nullish(),
  ranking_options: RankingOptions.nullish(),
});
export type FileSearchTool = z.output<typeof FileSearchTool>;
const OWN_TOOLS = ["function", "custom", "namespace", "file_search"];
/** Those that a choice names by more than their type. */
const NAMED_TOOLS = ["function", "custom", "namespace"];
/** A tool that OpenAI runs: it is left out, unless `tool_choice` asks for it. */
const HostedTool = z.object({
  type: z
    .string()
    .max(100)
    .refine((type) => !OWN_TOOLS.includes(type), "this kind of tool needs more fields"),
});
export const Tool = z.union([
  FunctionTool,
  CustomTool,
  NamespaceTool,
  FileSearchTool,
  HostedTool,
]);
export type Tool = z.output<typeof Tool>;

const NamedTool = z.object({
  type: z.enum(["function", "custom"]),
  name: ToolName,
  namespace: Namespace,
});
const ChosenType = z.object({
  type: z
    .string()
    .max(100)
    .refine(
      (type) => ![...NAMED_TOOLS, "allowed_tools"].includes(type),
      "this kind of choice needs more fields",
    ),
});
export const ToolChoice = z.union([
  z.enum(["none", "auto", "required"]),
  NamedTool,
  z.object({
    type: z.literal("allowed_tools"),
    mode: z.enum(["auto", "required"]),
    tools: z.array(z.union([NamedTool, ChosenType])).max(512),
  }),
  ChosenType,
]);
export type ToolChoice = z.output<typeof ToolChoice>;
