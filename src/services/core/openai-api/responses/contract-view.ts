import { z } from "zod";
import { StoreResult } from "../../../retrieval/openai-api/contract-search.ts";
import { CustomCall, FunctionCall } from "./contract-items.ts";

/** A response, as its readers see it. */

/** What `include` names. */
export const SEARCH_RESULTS = "file_search_call.results";
const Status = z.enum(["in_progress", "completed", "incomplete", "failed", "cancelled"]);
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
  input_tokens_details: z.object({
    cached_tokens: z.number().int(),
    cache_write_tokens: z.number().int(),
  }),
  output_tokens: z.number().int(),
  output_tokens_details: z.object({ reasoning_tokens: z.number().int() }),
  total_tokens: z.number().int(),
});

export const ResponseView = z.object({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.number().int(),
  status: Status,
  background: z.boolean(),
  conversation: z.object({ id: z.string() }).nullable(),
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
