import { uuidv7 } from "uuidv7";
import { z } from "zod";
import {
  bodyText,
  int4,
  jsonObject,
  limitKeys,
  storableTime,
} from "../../platform/http/bounds.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES, route } from "../../platform/http/route.ts";
import { CarriedLabels } from "../users/contract-judge-labels.ts";
import { mediaContract } from "./contract-media.ts";
import { rareOptions, stop, temperature, topP } from "./contract-model-parameters.ts";
import { ErrorEvent } from "../../platform/http/reported-error.ts";

export const TextPart = z.object({ type: z.literal("text"), text: bodyText() });
/** A simple expression: one that matches groups of four characters is far slower. */
const Base64 = z
  .string()
  .max(MAX_BODY_BYTES)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/)
  .refine((data) => data.length % 4 === 0, "base64 with padding")
  .meta({ contentEncoding: "base64" });
export const ImagePart = z
  .object({
    type: z.literal("image"),
    mediaType: z
      .string()
      .max(200)
      .regex(/^image\/[\w.+-]+$/),
    data: Base64.optional(),
    url: z
      .url({ protocol: /^https?$/ })
      .max(10_000)
      .optional(),
    detail: z
      .enum(["auto", "low", "high"])
      .optional()
      .describe("How closely a model of OpenAI looks at it"),
  })
  .refine(
    (part) => (part.data === undefined) !== (part.url === undefined),
    "an image has either data or url",
  );

/** Each is bounded by the body of the request. */
export const FilePart = z.object({
  type: z.literal("file"),
  mediaType: z
    .string()
    .max(100)
    .regex(/^(?:application\/pdf|audio\/[\w.+-]+)$/)
    .describe("A PDF or a recording, as it is. Models that take none are not asked"),
  data: Base64,
  name: z.string().max(1_000).optional(),
});
export type FilePart = z.output<typeof FilePart>;

export const CallId = z.string().min(1).max(1_000);
const ToolName = z.string().min(1).max(300);

/** What a call brings beside its name and arguments. */
const callDetails = {
  unreadable: bodyText()
    .optional()
    .describe(
      "The arguments as the model wrote them, when they are not a JSON object. " +
        "Such a call must not run",
    ),
  state: jsonObject()
    .optional()
    .describe(
      "What the provider wants back with the call, such as the signature of a thought. " +
        "It goes to the same model only. Send it as it came",
    ),
};

/** A service that knows only the shapes all agree on names no calls and counts no tokens. */
const newCallId = () => `call_${uuidv7()}`;
const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

export const ToolCall = z.object({
  id: CallId.default(newCallId),
  type: z.literal("tool_call").default("tool_call"),
  name: ToolName,
  arguments: jsonObject(),
  ...callDetails,
});
export type ToolCall = z.output<typeof ToolCall>;

export const Message = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  name: z
    .string()
    .max(64)
    .optional()
    .describe("Of a participant; for providers that speak OpenAI's protocol"),
  content: z.union([
    bodyText(),
    z.array(z.discriminatedUnion("type", [TextPart, ImagePart, FilePart])).max(10_000),
  ]),
  toolCallId: z
    .string()
    .max(1_000)
    .optional()
    .describe("On a tool message: the id of the call that it answers"),
  toolCalls: z
    .array(ToolCall)
    .max(512)
    .optional()
    .describe("On an assistant message: the calls of the assistant"),
});
export type Message = z.output<typeof Message>;

export const ToolDescriptor = z.object({
  name: ToolName,
  description: bodyText().default(""),
  inputSchema: jsonObject(),
  strict: z
    .boolean()
    .optional()
    .describe("OpenAI's own models write arguments that fit the schema"),
});
export type ToolDescriptor = z.output<typeof ToolDescriptor>;

export const ToolChoice = z.enum(["auto", "none", "required"]);

/** Metadata of a request, for the record of its usage. */
export const UsageContext = limitKeys(
  z.looseObject({
    userId: z.string().max(300).optional(),
    conversationId: z.string().max(300).optional(),
    agentId: z.string().max(300).optional(),
  }),
  100,
);
export type UsageContext = z.output<typeof UsageContext>;

const MAX_SCHEMA_CHARACTERS = 256_000;

export const ResponseFormat = z.object({
  type: z.literal("json"),
  schema: jsonObject()
    .refine(
      (schema) => JSON.stringify(schema).length <= MAX_SCHEMA_CHARACTERS,
      `at most ${MAX_SCHEMA_CHARACTERS} characters of JSON`,
    )
    .optional()
    .describe(
      "JSON Schema. Enforced by the provider where it can, and the finished reply is checked",
    ),
});

export const CompletionRequest = z.object({
  model: z
    .string()
    .min(1)
    .max(300)
    .describe(
      "Id of an available model, `provider/model`, or the provider's name of it: then the first " +
        "provider of the catalogue that has it",
    ),
  messages: z.array(Message).min(1).max(10_000),
  tools: z.array(ToolDescriptor).max(512).optional(),
  toolChoice: ToolChoice.optional(),
  stream: z.boolean().default(true),
  temperature,
  topP,
  maxTokens: int4(1).optional(),
  stop,
  responseFormat: ResponseFormat.optional(),
  ...rareOptions,
  context: UsageContext.optional(),
  once: z
    .boolean()
    .optional()
    .describe(
      "No later request begins with these instructions and messages, so that caching them costs more " +
        "than it saves",
    ),
  labels: CarriedLabels.optional().describe(
    "Of what the messages hold: a provider that one of them excludes is not asked",
  ),
});
export type CompletionRequest = z.output<typeof CompletionRequest>;

export const Usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z
    .number()
    .optional()
    .describe("Of the input: what the provider had in its cache"),
  cacheWriteInputTokens: z
    .number()
    .optional()
    .describe("Of the input: what the provider put into its cache"),
  contextTokens: z
    .number()
    .optional()
    .describe(
      "Of a reply that asked the model several times: what the last time read and wrote",
    ),
});
export type Usage = z.output<typeof Usage>;

/** Who answered, where it was not the model that was asked. */
export const AnsweredBy = z.object({
  model: z.string().describe("Id of the available model that answered"),
  name: z.string().describe("Its name"),
  insteadOf: z.string().describe("Id of the model that was asked"),
  code: z
    .string()
    .describe(
      "Why that one did not answer: the code of its failure, or `load_shared` where this is the same " +
        "model at another endpoint",
    ),
});
export type AnsweredBy = z.output<typeof AnsweredBy>;

export const CompletionFinish = z.enum([
  "stop",
  "length",
  "tool_calls",
  "content_filter",
  "cancelled",
]);
export type CompletionFinish = z.output<typeof CompletionFinish>;

export const CompletionEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text_delta"), delta: z.string() }),
  z.object({ type: z.literal("reasoning_delta"), delta: z.string() }),
  z.object({
    type: z.literal("tool_call"),
    id: z.string().default(newCallId),
    name: z.string(),
    arguments: jsonObject(),
    ...callDetails,
  }),
  z.object({
    type: z.literal("done"),
    finishReason: CompletionFinish,
    usage: Usage.default(NO_USAGE),
    answeredBy: AnsweredBy.optional(),
  }),
  AnsweredBy.extend({
    type: z
      .literal("answered_by")
      .describe("Before the first token of a model that answers in the place of another"),
  }),
  ErrorEvent.extend({ retryable: z.boolean() }),
  z.object({
    type: z.literal("message"),
    content: z.string(),
    toolCalls: z.array(ToolCall),
    finishReason: CompletionFinish,
    usage: Usage.default(NO_USAGE),
    answeredBy: AnsweredBy.optional(),
  }),
]);
export type CompletionEvent = z.output<typeof CompletionEvent>;

/** The record of one reply, on the queue `transactions` with the pattern `transaction`. */
export const Transaction = z
  .object({
    id: z.uuid(),
    provider: z.string(),
    model: z.string(),
    userId: z.string().optional(),
    conversationId: z.string().optional(),
    agentId: z.string().optional(),
    inputTokens: int4(),
    outputTokens: int4(),
    cachedInputTokens: int4().optional(),
    cacheWriteInputTokens: int4().optional(),
    images: int4().optional().describe("Images that were made"),
    seconds: z.number().min(0).max(1e9).optional().describe("Of a recording"),
    characters: int4().optional().describe("Of what was spoken or judged"),
    estimated: z
      .boolean()
      .optional()
      .describe("The provider reported no usage: estimated from the text"),
    durationMs: int4(),
    finishReason: z.string(),
    createdAt: storableTime(),
  })
  .refine(
    ({ inputTokens, cachedInputTokens = 0, cacheWriteInputTokens = 0 }) =>
      cachedInputTokens + cacheWriteInputTokens <= inputTokens,
    "tokens from and into the cache are a part of the input",
  );
export type Transaction = z.output<typeof Transaction>;

/** What a request to an embedding model used, which the embedding service asks itself. */
export const EmbeddingUse = z.object({
  id: z.uuid().describe("The same id again is the same use"),
  provider: z.string().min(1).max(64),
  model: z.string().min(1).max(300).describe("As the provider names it"),
  userId: z.string().min(1).max(200).optional().describe("Absent: it counts for nobody"),
  inputTokens: int4(),
  estimated: z.boolean(),
  durationMs: int4(),
  finishReason: z.enum(["stop", "cancelled"]),
  createdAt: storableTime().meta({ examples: ["2026-03-01T12:00:00Z"] }),
});
export type EmbeddingUse = z.output<typeof EmbeddingUse>;

export const TRANSACTIONS_QUEUE = "transactions";
export const TRANSACTION_PATTERN = "transaction";

export const completionContract = {
  ...mediaContract,
  complete: route({
    method: "post",
    path: "/api/v1/completions",
    access: "completion-secret",
    changes: "none",
    summary: "Generate one reply of a model",
    description:
      "Answers newline-delimited JSON: events as they arrive or, with `stream: false`, one line " +
      "of type `message`.",
    body: CompletionRequest,
    maxBody: MAX_BODY_BYTES,
    maxValues: MAX_BODY_VALUES,
    stream: "ndjson",
    events: CompletionEvent,
  }),
  recordEmbedding: route({
    method: "post",
    path: "/api/v1/completions/embeddings",
    access: "completion-secret",
    changes: "none",
    summary: "Record what the embedding service used of a provider's model",
    description:
      "All records of usage come from here: it is counted, and published with the pattern " +
      "`transaction`, like what a reply used.",
    body: EmbeddingUse,
    ok: z.object({ id: z.uuid() }),
  }),
};
