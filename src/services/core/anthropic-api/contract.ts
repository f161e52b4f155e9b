import { z } from "zod";
import { bodyText, int4, jsonObject } from "../../../platform/http/bounds.ts";
import {
  type ErrorView,
  MAX_BODY_BYTES,
  MAX_BODY_VALUES,
  route,
} from "../../../platform/http/route.ts";
import { statusOf } from "../openai-api/contract-errors.ts";

/** The part of Anthropic's API that its clients use (Anthropic API reference, messages). */

const Id = z.string().min(1).max(1_000);
const ToolName = z.string().min(1).max(300);

const TextBlock = z.object({ type: z.literal("text"), text: bodyText() });
const ImageBlock = z.object({
  type: z.literal("image"),
  source: z.discriminatedUnion("type", [
    z.object({
      type: z.literal("base64"),
      media_type: z.string().max(200),
      data: bodyText(),
    }),
    z.object({ type: z.literal("url"), url: z.string().max(10_000) }),
  ]),
});
const DocumentBlock = z.object({
  type: z.literal("document"),
  title: z.string().max(10_000).nullish(),
  context: bodyText().nullish(),
  source: z.discriminatedUnion("type", [
    z.object({ type: z.literal("text"), data: bodyText() }),
    z.object({
      type: z.literal("content"),
      content: z.union([bodyText(), z.array(z.union([TextBlock, ImageBlock])).max(10_000)]),
    }),
    z.object({
      type: z.literal("base64"),
      media_type: z.string().max(200),
      data: z.string().max(MAX_BODY_BYTES),
    }),
    z.object({ type: z.literal("url"), url: z.string().max(10_000) }),
    z.object({ type: z.literal("file"), file_id: z.string().max(1_000) }),
  ]),
});
const SearchResultBlock = z.object({
  type: z.literal("search_result"),
  source: z.string().max(10_000),
  title: z.string().max(10_000),
  content: z.array(TextBlock).max(10_000),
});
const ThinkingBlock = z.object({
  type: z.literal("thinking"),
  thinking: bodyText(),
  signature: bodyText().nullish(),
});
const RedactedThinkingBlock = z.object({
  type: z.literal("redacted_thinking"),
  data: bodyText(),
});
const ToolUseBlock = z.object({
  type: z.literal("tool_use"),
  id: Id,
  name: ToolName,
  input: jsonObject(),
});
const GIVEN = [TextBlock, ImageBlock, DocumentBlock, SearchResultBlock] as const;
const GivenBlock = z.discriminatedUnion("type", [...GIVEN]);
export type GivenBlock = z.output<typeof GivenBlock>;
const ToolResultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: Id,
  content: z.union([bodyText(), z.array(GivenBlock).max(10_000)]).nullish(),
  is_error: z.boolean().nullish(),
});
const Block = z.discriminatedUnion("type", [
  ...GIVEN,
  ThinkingBlock,
  RedactedThinkingBlock,
  ToolUseBlock,
  ToolResultBlock,
]);
export type Block = z.output<typeof Block>;

const GivenMessage = z.object({
  role: z.enum(["user", "assistant", "system"]),
  content: z.union([bodyText(), z.array(Block).max(10_000)]),
});
export type GivenMessage = z.output<typeof GivenMessage>;

/** Tools that the client runs. */
const ClientTool = z.object({
  type: z.literal("custom").nullish(),
  name: ToolName,
  description: bodyText().nullish(),
  input_schema: jsonObject(),
});
/** A tool that Anthropic runs, or whose schema it knows: there is none of them here. */
const AnthropicTool = z.object({
  type: z
    .string()
    .max(100)
    .refine((type) => type !== "custom", "a tool of the type custom has an input_schema"),
  name: ToolName.nullish(),
});
const ToolChoice = z.discriminatedUnion("type", [
  z.object({ type: z.literal("auto"), disable_parallel_tool_use: z.boolean().nullish() }),
  z.object({ type: z.literal("any"), disable_parallel_tool_use: z.boolean().nullish() }),
  z.object({
    type: z.literal("tool"),
    name: ToolName,
    disable_parallel_tool_use: z.boolean().nullish(),
  }),
  z.object({ type: z.literal("none") }),
]);
const JsonFormat = z.object({ type: z.literal("json_schema"), schema: jsonObject() });

const asked = {
  model: z.string().min(1).max(300).describe("A model's id, or an agent's: `agent:<id>`"),
  messages: z.array(GivenMessage).min(1).max(10_000),
  system: z.union([bodyText(), z.array(TextBlock).max(1_000)]).nullish(),
  tools: z
    .array(z.union([ClientTool, AnthropicTool]))
    .max(512)
    .nullish(),
  tool_choice: ToolChoice.nullish(),
  output_config: z.object({ format: JsonFormat.nullish() }).nullish(),
  mcp_servers: z
    .array(z.never("tool servers are set up by administrators"))
    .max(0)
    .nullish(),
};

export const MessagesRequest = z.object({
  ...asked,
  max_tokens: int4(1),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.null("no model here takes it: leave it out").optional(),
  stop_sequences: z.array(z.string().max(10_000)).max(8).nullish(),
  container: z.null("there are no containers: leave it out").optional(),
});
export type MessagesRequest = z.output<typeof MessagesRequest>;

const CountRequest = z.object(asked);
export type CountRequest = z.output<typeof CountRequest>;

const Written = z.discriminatedUnion("type", [
  ThinkingBlock.extend({ signature: z.string() }),
  RedactedThinkingBlock,
  TextBlock,
  ToolUseBlock,
]);
export type Written = z.output<typeof Written>;

const StopReason = z.enum(["end_turn", "max_tokens", "tool_use", "refusal"]);
export type StopReason = z.output<typeof StopReason>;

const Usage = z.object({
  input_tokens: z
    .number()
    .int()
    .describe("Without those that the provider's cache gave or took"),
  output_tokens: z.number().int(),
  cache_read_input_tokens: z.number().int(),
  cache_creation_input_tokens: z.number().int(),
});
export type Usage = z.output<typeof Usage>;

const WrittenMessage = z.object({
  id: z.string(),
  type: z.literal("message"),
  role: z.literal("assistant"),
  model: z.string(),
  content: z.array(Written),
  stop_reason: StopReason.nullable(),
  stop_sequence: z.null(),
  usage: Usage,
});
export type WrittenMessage = z.output<typeof WrittenMessage>;

const AnthropicError = z.object({
  type: z.literal("error"),
  error: z.object({ type: z.string(), message: z.string(), code: z.string() }),
});

const TYPES: Record<number, string> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
};

/** An error in Anthropic's form; `code` is ours. */
export function toAnthropicError({ status, code, message }: ErrorView) {
  const fallback = status < 500 ? "invalid_request_error" : "api_error";
  return {
    type: "error" as const,
    error: { type: TYPES[statusOf(status, code)] ?? fallback, message, code },
  };
}

const shared = {
  method: "post",
  changes: "none",
  errorSchema: AnthropicError,
  access: ["key", "jwt"],
  errorBody: toAnthropicError,
  statusOf,
  maxBody: MAX_BODY_BYTES,
  maxValues: MAX_BODY_VALUES,
} as const;

export const anthropicContract = {
  anthropicMessage: route({
    ...shared,
    path: "/v1/messages",
    permission: "conversation:create",
    produces: ["text/event-stream"],
    summary: "A message as Anthropic's clients ask for it",
    description: "With `stream` as Anthropic's server-sent events.",
    body: MessagesRequest,
    example: {
      model: "openai/gpt-test",
      max_tokens: 1024,
      system: "Be brief.",
      messages: [
        { role: "user", content: "What does our travel policy say about trains?" },
      ],
    },
    ok: WrittenMessage,
  }),
  anthropicTokens: route({
    ...shared,
    path: "/v1/messages/count_tokens",
    permission: "conversation:create",
    summary: "Estimate the tokens of a request for a message",
    description: "An estimate of four characters a token: providers count differently.",
    body: CountRequest,
    ok: z.object({ input_tokens: z.number().int() }),
  }),
};
