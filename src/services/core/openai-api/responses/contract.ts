import { z } from "zod";
import { bodyText, int4, jsonObject } from "../../../../platform/http/bounds.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES, route } from "../../../../platform/http/route.ts";
import { errorBody, OpenAiError, statusOf } from "../contract-errors.ts";
import { ConversationId, Metadata } from "../conversations/contract.ts";
import { Item, Tool, ToolChoice } from "./contract-items.ts";
import { ResponseView, SEARCH_RESULTS } from "./contract-view.ts";

/** OpenAI's Responses API (OpenAI API reference, responses). */

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
/** What is not done here is refused, so that nobody takes an answer for another one. */
const absent = (why: string) => z.null(why).optional();
const INCLUDED = ["reasoning.encrypted_content", SEARCH_RESULTS];

export const ResponseRequest = z
  .object({
    model: z.string().min(1).max(300).describe("A model's id, or an agent's: `agent:<id>`"),
    input: z.union([bodyText(), z.array(Item).max(10_000)]).nullish(),
    instructions: bodyText().nullish(),
    previous_response_id: z.string().max(100).nullish(),
    store: z
      .boolean()
      .nullish()
      .describe("Whether later requests can name it. Default true"),
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
    background: z
      .boolean()
      .nullish()
      .describe("Answers at once; the response is read, followed and cancelled by its id"),
    conversation: z
      .union([ConversationId, z.object({ id: ConversationId })])
      .nullish()
      .describe("The conversation that this goes on, which keeps it; in the web app, too"),
    prompt: absent("prompts are not kept here: send instructions and input"),
    top_logprobs: z.literal(0, "probabilities are not passed on").nullish(),
  })
  .refine(({ background, store }) => background !== true || store !== false, {
    path: ["store"],
    message: "a response in the background is stored: leave store out",
  });
export type ResponseRequest = z.output<typeof ResponseRequest>;

const shared = {
  access: ["key", "jwt"],
  permission: "conversation:create",
  errorSchema: OpenAiError,
  errorBody,
  statusOf,
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
    description:
      "With `stream` as OpenAI's server-sent events. With `background` it goes on when its client " +
      "leaves.",
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
    description:
      "With `stream=true`, of one in the background: its events, from the one behind " +
      "`starting_after` on, for five minutes after its end.",
    query: z.object({
      stream: z.enum(["true", "false"]).optional(),
      starting_after: z.coerce
        .number()
        .int()
        .min(0)
        .max(1_000_000_000)
        .optional()
        .describe("The `sequence_number` of the last event that you have"),
    }),
    produces: ["text/event-stream"],
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
  cancelResponse: route({
    ...byId,
    method: "post",
    path: "/v1/responses/:response/cancel",
    changes: "none",
    summary: "Cancel a response in the background",
    description:
      "What it has written is not kept. One that has ended is answered as it is.",
    ok: ResponseView,
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
