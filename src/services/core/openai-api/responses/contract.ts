import { z } from "zod";
import { bodyText, int4, jsonObject, limitKeys } from "../../../../platform/http/bounds.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES, route } from "../../../../platform/http/route.ts";
import { AttributeFilter } from "../../../documents/contract-attributes.ts";
import {
  MaxResults,
  RankingOptions,
  StoreResult,
} from "../../../retrieval/openai/contract-search.ts";
import { errorBody, OpenAiError } from "../contract-errors.ts";

/** OpenAI's Responses API (OpenAI API reference, responses). */

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
const Part = z.discriminatedUnion("type", [TextPart, RefusalPart, ImagePart, FilePart]);
export type Part = z.output<typeof Part>;
export type FilePart = z.output<typeof FilePart>;
const Content = z.union([bodyText(), z.array(Part).max(10_000)]);

const Message = z.object({
  type: z.literal("message").default("message"),
  id: ItemId,
  role: z.enum(["user", "assistant", "system", "developer"]),
  content: Content,
});
const FunctionCall = z.object({
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
const CustomCall = z.object({
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
const Item = z.union([Typed, Message]);
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
const Tool = z.union([FunctionTool, CustomTool, NamespaceTool, FileSearchTool, HostedTool]);
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
const ToolChoice = z.union([
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

const TextConfig = z.object({
  format: z
    .union([
      z.object({ type: z.enum(["text", "json_object"]) }),
      z.object({
        type: z.literal("json_schema"),
        name: z.string().max(300).nullish(),
        schema: jsonObject(),
        strict: z.boolean().nullish(),
      }),
    ])
    .nullish(),
  verbosity: z.string().max(20).nullish(),
});
const ReasoningConfig = z.object({
  effort: z.string().max(20).nullish(),
  summary: z.string().max(20).nullish(),
});
const Metadata = limitKeys(z.record(z.string().max(64), z.string().max(512)), 16);

/** What is not done here is refused, so that nobody takes an answer for another one. */
const absent = (why: string) => z.null(why).optional();
export const SEARCH_RESULTS = "file_search_call.results";
const INCLUDED = ["reasoning.encrypted_content", SEARCH_RESULTS];

export const ResponseRequest = z.object({
  model: z.string().min(1).max(300).describe("A model's id, or an agent's: `agent:<id>`"),
  input: z.union([bodyText(), z.array(Item).max(10_000)]).nullish(),
  instructions: bodyText().nullish(),
  previous_response_id: z.string().max(100).nullish(),
  store: z.boolean().nullish().describe("Whether later requests can name it. Default true"),
  stream: z.boolean().nullish(),
  tools: z.array(Tool).max(512).nullish(),
  tool_choice: ToolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_output_tokens: int4(1).nullish(),
  text: TextConfig.nullish(),
  reasoning: ReasoningConfig.nullish(),
  include: z
    .array(
      z
        .string()
        .max(100)
        .refine(
          (name) => INCLUDED.includes(name) || !name.includes("logprobs"),
          "probabilities are not passed on",
        ),
    )
    .max(20)
    .nullish(),
  metadata: Metadata.nullish(),
  truncation: z.enum(["auto", "disabled"]).nullish(),
  user: z.string().max(1_000).nullish(),
  background: z.literal(false, "a response is made while its client waits").nullish(),
  conversation: absent("name the response before as previous_response_id"),
  prompt: absent("prompts are not kept here: send instructions and input"),
  top_logprobs: z.literal(0, "probabilities are not passed on").nullish(),
});
export type ResponseRequest = z.output<typeof ResponseRequest>;

const Status = z.enum(["in_progress", "completed", "incomplete", "failed"]);
const FileCitation = z.object({
  type: z.literal("file_citation"),
  index: z.number().int().describe("The place in the text, in UTF-16 units"),
  file_id: z.string(),
  filename: z.string(),
});
const OutputText = z.object({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(FileCitation),
  logprobs: z.array(z.never()),
});
const OutputMessage = z.object({
  id: z.string(),
  type: z.literal("message"),
  role: z.literal("assistant"),
  status: Status,
  content: z.array(OutputText),
});
const OutputReasoning = z.object({
  id: z.string(),
  type: z.literal("reasoning"),
  summary: z.array(z.object({ type: z.literal("summary_text"), text: z.string() })),
  encrypted_content: z
    .string()
    .optional()
    .describe("What the provider wants back with the call that follows"),
});
const OutputCall = FunctionCall.extend({
  id: z.string(),
  namespace: z.string().optional(),
  status: Status,
});
const OutputCustomCall = CustomCall.extend({
  id: z.string(),
  namespace: z.string().optional(),
});
const OutputSearch = z.object({
  id: z.string(),
  type: z.literal("file_search_call"),
  status: Status,
  queries: z.array(z.string()),
  results: z
    .array(
      StoreResult.pick({
        file_id: true,
        filename: true,
        score: true,
        attributes: true,
      }).extend({ text: z.string() }),
    )
    .nullable()
    .describe(`Only where \`include\` has \`${SEARCH_RESULTS}\``),
});
const OutputItem = z.discriminatedUnion("type", [
  OutputSearch,
  OutputMessage,
  OutputReasoning,
  OutputCall,
  OutputCustomCall,
]);
export type OutputItem = z.output<typeof OutputItem>;

const Usage = z.object({
  input_tokens: z.number().int(),
  input_tokens_details: z.object({ cached_tokens: z.number().int() }),
  output_tokens: z.number().int(),
  output_tokens_details: z.object({ reasoning_tokens: z.number().int() }),
  total_tokens: z.number().int(),
});

export const ResponseView = z.object({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.number().int(),
  status: Status,
  model: z.string(),
  output: z.array(OutputItem),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z
    .object({ reason: z.enum(["max_output_tokens", "content_filter"]) })
    .nullable(),
  usage: Usage.nullable(),
  // what the request asked
  instructions: z.string().nullable(),
  max_output_tokens: z.number().nullable(),
  metadata: z.record(z.string(), z.string()),
  parallel_tool_calls: z.boolean(),
  previous_response_id: z.string().nullable(),
  reasoning: z.object({ effort: z.string().nullable(), summary: z.string().nullable() }),
  store: z.boolean(),
  temperature: z.number().nullable(),
  text: z.object({ format: z.record(z.string(), z.unknown()) }),
  tool_choice: z.unknown(),
  tools: z.array(z.unknown()),
  top_p: z.number().nullable(),
  truncation: z.string(),
});
export type ResponseView = z.output<typeof ResponseView>;

const shared = {
  access: ["key", "jwt"],
  permission: "conversation:create",
  errorSchema: OpenAiError,
  errorBody,
} as const;
const byId = {
  ...shared,
  params: z.object({ response: z.string().max(100) }),
} as const;

export const responsesContract = {
  createResponse: route({
    ...shared,
    method: "post",
    path: "/v1/responses",
    changes: "none",
    produces: ["text/event-stream"],
    summary: "A response as OpenAI's newer clients ask for it",
    description: "With `stream` as OpenAI's server-sent events.",
    body: ResponseRequest,
    example: {
      model: "openai/gpt-test",
      instructions: "Be brief.",
      input: "What does our travel policy say about trains?",
    },
    maxBody: MAX_BODY_BYTES,
    maxValues: MAX_BODY_VALUES,
    ok: ResponseView,
  }),
  readResponse: route({
    ...byId,
    method: "get",
    path: "/v1/responses/:response",
    summary: "Read a stored response of your own",
    ok: ResponseView,
  }),
  deleteResponse: route({
    ...byId,
    method: "delete",
    path: "/v1/responses/:response",
    changes: "none",
    summary: "Delete a stored response of your own",
    ok: z.object({
      id: z.string(),
      object: z.literal("response.deleted"),
      deleted: z.literal(true),
    }),
  }),
  listInputItems: route({
    ...byId,
    method: "get",
    path: "/v1/responses/:response/input_items",
    summary: "List the items of the request for a stored response",
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      order: z.enum(["asc", "desc"]).default("desc"),
      after: z.string().max(100).optional().describe("The id of the last item before"),
    }),
    ok: z.object({
      object: z.literal("list"),
      data: z.array(z.unknown()),
      first_id: z.string().nullable(),
      last_id: z.string().nullable(),
      has_more: z.boolean(),
    }),
  }),
};
