import { z } from "zod";
import { MAX_BODY_BYTES, MAX_BODY_VALUES, route } from "../../../platform/http/route.ts";
import { errorBody, OpenAiError, statusOf } from "../../core/openai-api/contract-errors.ts";
import { InputType, ToEmbed } from "../contract-model.ts";

/** As many as OpenAI takes in one request. */
const MAX_INPUTS = 2_048;
/** Tokens of cl100k_base, which some clients send in the place of a text. */
const Tokens = z.array(z.number().int().min(0).max(200_000)).min(1).max(50_000);

/** The part of OpenAI's API that makes vectors of texts (OpenAI API reference, embeddings). */
export const openAiEmbeddingsContract = {
  openAiEmbeddings: route({
    method: "post",
    path: "/v1/embeddings",
    changes: "none",
    errorSchema: OpenAiError,
    errorBody,
    statusOf,
    access: ["key", "jwt"],
    permission: "document:process",
    summary: "Embed texts as OpenAI's clients ask for it",
    description: "`model` is the one of `GET /api/v1/embed/model`.",
    body: z.object({
      model: z.string().min(1).max(300),
      input: z.union([
        ToEmbed,
        z.array(ToEmbed).min(1).max(MAX_INPUTS),
        Tokens,
        z.array(Tokens).min(1).max(MAX_INPUTS),
      ]),
      encoding_format: z.enum(["float", "base64"]).nullish(),
      dimensions: z
        .number()
        .int()
        .min(1)
        .max(100_000)
        .nullish()
        .describe("Only the model's own number: its vectors are not shortened"),
      input_type: InputType.nullish().describe(
        "For models that embed questions and passages differently; default passage",
      ),
      user: z.string().max(1_000).nullish(),
    }),
    maxBody: MAX_BODY_BYTES,
    maxValues: MAX_BODY_VALUES,
    ok: z.object({
      object: z.literal("list"),
      data: z.array(
        z.object({
          object: z.literal("embedding"),
          index: z.number().int(),
          embedding: z
            .union([z.array(z.number()), z.string()])
            .describe("base64: little-endian 32-bit floats"),
        }),
      ),
      model: z.string(),
      usage: z
        .object({ prompt_tokens: z.number().int(), total_tokens: z.number().int() })
        .describe("An estimate of four characters a token"),
    }),
  }),
};
