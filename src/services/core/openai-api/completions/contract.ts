import { z } from "zod";
import { bodyText, int4, limitKeys } from "../../../../platform/http/bounds.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES, route } from "../../../../platform/http/route.ts";
import { ChatRequest } from "../contract.ts";
import { errorBody, OpenAiError, statusOf } from "../contract-errors.ts";

/**
 * OpenAI's older API, which continues texts. Fields that are not named here go to the provider or
 * are refused (`provider-fields.ts`); all are refused where the model only chats.
 */

const MAX_PROMPTS = 32;
/** Prompts and how often each is continued. */
const MAX_TEXTS = 64;
const MAX_FIELDS = 60;
/** By its number in the vocabulary of the model. */
const Token = int4();
const Tokens = z.array(Token).min(1).max(MAX_BODY_VALUES);
const Prompt = z
  .union([
    bodyText(),
    z.array(bodyText()).min(1).max(MAX_PROMPTS),
    Tokens,
    z.array(Tokens).min(1).max(MAX_PROMPTS),
  ])
  .describe(
    "A text or up to 32; as tokens of the model only where its provider takes them",
  );
const Count = z.number().int().min(1).max(MAX_TEXTS).nullish();
const { stream, stream_options, temperature, top_p, stop } = ChatRequest.shape;
const { frequency_penalty, presence_penalty, logit_bias, seed } = ChatRequest.shape;

export const TextRequest = limitKeys(
  z.looseObject({
    model: ChatRequest.shape.model,
    prompt: Prompt,
    suffix: bodyText().nullish().describe("What follows the text to be written"),
    max_tokens: z.union([int4(), z.literal(-1).transform(() => undefined)]).nullish(),
    n: Count.describe("Texts for each prompt; with several prompts 64 at most in all"),
    best_of: Count,
    echo: z.boolean().nullish().describe("The prompt stands before each text"),
    logprobs: z.union([z.literal(false), z.number().int().min(0).max(20)]).nullish(),
    stream,
    stream_options,
    temperature,
    top_p,
    stop,
    frequency_penalty,
    presence_penalty,
    logit_bias,
    seed,
  }),
  MAX_FIELDS,
).refine(({ prompt, n, best_of: bestOf }) => {
  const isList = Array.isArray(prompt) && typeof prompt[0] !== "number";
  return (isList ? prompt.length : 1) * Math.max(n ?? 1, bestOf ?? 1) <= MAX_TEXTS;
}, `at most ${MAX_TEXTS} texts in one request`);
export type TextRequest = z.output<typeof TextRequest>;

const TextCompletion = z.object({
  id: z.string(),
  object: z.literal("text_completion"),
  created: z.number().int(),
  model: z.string(),
  choices: z.array(
    z.object({
      text: z.string(),
      index: z.number().int(),
      logprobs: z.record(z.string(), z.unknown()).nullable(),
      finish_reason: z.string().nullable(),
    }),
  ),
  usage: z
    .object({
      prompt_tokens: z.number(),
      completion_tokens: z.number(),
      total_tokens: z.number(),
    })
    .optional()
    .describe("Absent where the provider says none"),
});
export type TextCompletion = z.output<typeof TextCompletion>;

export const textContract = {
  textCompletions: route({
    method: "post",
    path: "/v1/completions",
    changes: "none",
    errorSchema: OpenAiError,
    access: ["key", "jwt"],
    permission: "conversation:create",
    errorBody,
    statusOf,
    produces: ["text/event-stream"],
    summary: "Continue texts as OpenAI's older clients ask for it",
    description:
      "With `stream` as server-sent events, ended by `[DONE]`. A model whose provider has no such " +
      "API is asked by chat, with the prompt as the only message.",
    body: TextRequest,
    example: { model: "openai/gpt-test", prompt: "Once upon a time", max_tokens: 20 },
    maxBody: MAX_BODY_BYTES,
    maxValues: MAX_BODY_VALUES,
    ok: TextCompletion,
  }),
};
