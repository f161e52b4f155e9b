import { z } from "zod";
import { bodyText, int4, jsonObject, limitKeys } from "../../../platform/http/bounds.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES, route } from "../../../platform/http/route.ts";
import {
  AnthropicModel,
  AnthropicModels,
  errorOfBoth,
  PageOfModels,
  VERSION_HEADER,
} from "../anthropic-api/contract-models.ts";
import { SoundPart } from "./contract-sound.ts";
import { errorBody, OpenAiError, statusOf } from "./contract-errors.ts";

/**
 * The part of OpenAI's API that chat clients use (OpenAI API reference, chat completions and
 * models).
 */

const TextPart = z.object({ type: z.literal("text"), text: bodyText() });
const RefusalPart = z.object({ type: z.literal("refusal"), refusal: bodyText() });
const ImagePart = z.object({
  type: z.literal("image_url"),
  image_url: z.object({
    url: z.string().max(20_000_000),
    detail: z.enum(["auto", "low", "high"]).nullish(),
  }),
});
const FilePart = z.object({
  type: z.literal("file"),
  file: z.object({
    file_id: z.string().max(1_000).nullish(),
    file_data: z
      .string()
      .max(MAX_BODY_BYTES)
      .nullish()
      .describe("In base64, or a data: URL"),
    filename: z.string().max(1_000).nullish(),
  }),
});
export type FilePart = z.output<typeof FilePart>;
const CallId = z.string().min(1).max(1_000);
const FunctionName = z.string().min(1).max(300);
const FunctionCall = z.object({
  id: CallId,
  type: z.literal("function").default("function"),
  function: z.object({
    name: FunctionName,
    arguments: z
      .union([bodyText(), jsonObject()])
      .describe("JSON as text; some clients send the object itself"),
  }),
  extra_content: jsonObject()
    .optional()
    .catch(undefined)
    .describe("What the provider wants back with the call. Send it as it came"),
});
export type FunctionCall = z.output<typeof FunctionCall>;
const ChatMessage = z.object({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  name: z.string().max(64).nullish(),
  content: z
    .union([
      bodyText(),
      z.array(z.union([TextPart, RefusalPart, ImagePart, FilePart, SoundPart])).max(10_000),
    ])
    .nullish(),
  tool_calls: z.array(FunctionCall).max(512).nullish(),
  tool_call_id: z.string().max(1_000).nullish(),
});
export type ChatMessage = z.output<typeof ChatMessage>;

const Tool = z.object({
  type: z.literal("function"),
  function: z.object({
    name: FunctionName,
    description: bodyText().nullish(),
    parameters: jsonObject().nullish(),
    strict: z.boolean().nullish(),
  }),
});
const ToolChoice = z.union([
  z.enum(["none", "auto", "required"]),
  // Mistral's name
  z.literal("any").transform(() => "required" as const),
  z.object({ type: z.literal("function"), function: z.object({ name: FunctionName }) }),
]);
const ResponseFormat = z.union([
  z.object({ type: z.enum(["text", "json_object"]) }),
  z.object({
    type: z.literal("json_schema"),
    json_schema: limitKeys(z.looseObject({ schema: jsonObject().optional() }), 20),
  }),
]);

/** What is not done here is refused, so that nobody takes an answer for another one. */
const absent = (why: string) => z.null(why).optional();
const off = (why: string) => z.union([z.literal(false), z.literal(0)], why).nullish();
/** Clients of local servers write -1 for no limit. */
const MaxTokens = z.union([int4(1), z.literal(-1).transform(() => undefined)]).nullish();
const Penalty = z.number().min(-2).max(2).nullish();
const Effort = z.string().max(20).nullish();

const StopText = z.string().max(10_000);
const MAX_FIELDS = 80;

/** Fields that are not named here go to the provider or are refused: `provider-fields.ts`. */
export const ChatRequest = limitKeys(
  z.looseObject({
    model: z.string().min(1).max(300).describe("A model's id, or an agent's: `agent:<id>`"),
    messages: z.array(ChatMessage).min(1).max(10_000),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    tools: z.array(Tool).max(512).nullish(),
    tool_choice: ToolChoice.nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    max_tokens: MaxTokens,
    max_completion_tokens: MaxTokens,
    frequency_penalty: Penalty,
    presence_penalty: Penalty,
    seed: z
      .int()
      .min(-(2 ** 52))
      .max(2 ** 52)
      .nullish(),
    logit_bias: limitKeys(
      z.record(z.string().max(20), z.number().min(-100).max(100)),
      1_000,
    ).nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    reasoning_effort: Effort,
    verbosity: Effort,
    stop: z.union([StopText, z.array(StopText).max(8)]).nullish(),
    response_format: ResponseFormat.nullish(),
    n: z.literal(1, "only one choice is made").nullish(),
    functions: absent("the older name of tools: send tools"),
    function_call: absent("the older name of tool_choice: send tools and tool_choice"),
    logprobs: off("probabilities are not passed on"),
    top_logprobs: off("probabilities are not passed on"),
    modalities: z.array(z.literal("text", "only text is written")).max(10).nullish(),
    audio: absent("only text is written"),
    web_search_options: absent("the web is searched by tools only"),
  }),
  MAX_FIELDS,
);
export type ChatRequest = z.output<typeof ChatRequest>;

const Usage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  prompt_tokens_details: z.object({
    cached_tokens: z.number(),
    cache_write_tokens: z.number(),
  }),
});
const FinishReason = z.enum(["stop", "length", "tool_calls", "content_filter"]);
export type FinishReason = z.output<typeof FinishReason>;

const ChatCompletion = z.object({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.number().int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.number().int(),
      message: z.object({
        role: z.literal("assistant"),
        content: z.string().nullable(),
        refusal: z.null(),
        reasoning_content: z.string().optional(),
        tool_calls: z.array(FunctionCall).optional(),
      }),
      logprobs: z.null(),
      finish_reason: FinishReason,
    }),
  ),
  usage: Usage,
});
export type ChatCompletion = z.output<typeof ChatCompletion>;

const Model = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.number().int(),
  owned_by: z.string(),
});
export type Model = z.output<typeof Model>;

const access = ["key", "jwt"] as const;
/** Of the lists of models, which clients of both APIs read. */
const ofModels = {
  method: "get",
  access,
  permission: "model:read",
  errorSchema: OpenAiError.extend({ type: z.literal("error") }),
  errorBody: errorOfBoth,
  statusOf,
  headers: { [VERSION_HEADER]: "With it, the answer has Anthropic's form" },
} as const;
export const openAiContract = {
  chatCompletions: route({
    method: "post",
    path: "/v1/chat/completions",
    changes: "none",
    errorSchema: OpenAiError,
    access,
    permission: "conversation:create",
    errorBody,
    statusOf,
    produces: ["text/event-stream"],
    summary: "Chat completions as OpenAI's clients ask for them",
    description:
      "With `stream` as server-sent events of `chat.completion.chunk`, ended by `[DONE]`.",
    body: ChatRequest,
    example: {
      model: "openai/gpt-test",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "What does our travel policy say about trains?" },
      ],
    },
    maxBody: MAX_BODY_BYTES,
    maxValues: MAX_BODY_VALUES,
    ok: ChatCompletion,
  }),
  openAiModels: route({
    ...ofModels,
    path: "/v1/models",
    summary: "List the models and agents that may be named as `model`",
    description: "OpenAI's list is whole; the query is for Anthropic's form.",
    query: PageOfModels,
    ok: z.union([
      z.object({ object: z.literal("list"), data: z.array(Model) }),
      AnthropicModels,
    ]),
  }),
  openAiModel: route({
    ...ofModels,
    path: "/v1/models/:model",
    summary: "Read a model or agent; a slash in its name is written %2F",
    params: z.object({ model: z.string().max(300) }),
    ok: z.union([Model, AnthropicModel]),
  }),
};
