import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { ReportedError, StoredFailure } from "../../platform/http/reported-error.ts";
import { route } from "../../platform/http/route.ts";

/** The embedding model: which is in use, which may be chosen, and the change to another one. */

const path = "/api/v1/embed/model";
const MAX_EMBEDDED_CHARACTERS = 100_000;
export const ToEmbed = z.string().min(1).max(MAX_EMBEDDED_CHARACTERS);
/** Some models embed questions and passages differently. */
export const InputType = z.enum(["query", "passage"]);
export const ofModel = { model: z.string(), dimensions: z.number().int() };

const reachable = z
  .boolean()
  .describe("false: the environment does not name it, and the catalogue does not have it");
const ModelState = z.object({
  ...ofModel,
  provider: z.string(),
  availableModelId: z
    .string()
    .nullable()
    .describe(
      "Its entry in the catalogue; null: the environment names it, or it is built in",
    ),
  reachable,
  maxBatchSize: z.number().int().describe("The most texts of one `POST /embed`"),
  local: z.boolean(),
  refused: z
    .number()
    .int()
    .describe("Chunks whose text is too long for it: found by their words only"),
  next: z
    .object({
      ...ofModel,
      reachable,
      embedded: z.number().int(),
      refused: z.number().int().describe("Chunks whose text is too long for it"),
      chunks: z.number().int(),
      failure: StoredFailure.nullable().describe(
        "Why its last attempt failed; it is repeated every 15 s",
      ),
    })
    .nullable()
    .describe("The model that replaces it when all chunks are embedded"),
});

const ModelChoice = z.discriminatedUnion("source", [
  z.object({ source: z.literal("environment") }),
  z.object({ source: z.literal("built-in") }),
  z.object({
    source: z.literal("catalogue"),
    availableModelId: z.string().min(1).max(300),
  }),
]);
export type ModelChoice = z.output<typeof ModelChoice>;

const Candidate = z.object({
  source: z.enum(["environment", "built-in", "catalogue"]),
  availableModelId: z.string().nullable().describe("Its entry in the catalogue"),
  displayName: z.string(),
  model: z.string().describe("The provider's name of it"),
  provider: z.string().describe("The kind of its provider"),
  providerName: z.string().nullable().describe("The display name of its provider"),
  dimensions: z.number().int().nullable().describe("null: a test finds them out"),
  use: z.enum(["current", "next"]).nullable(),
});
export type Candidate = z.output<typeof Candidate>;

export const modelContract = {
  embedModel: route({
    method: "get",
    path,
    access: ["internal", "jwt", "key"],
    permission: "document:process",
    summary: "Get the active embedding model, and the next one while it embeds all chunks",
    ok: ModelState,
  }),
  modelCandidates: route({
    method: "get",
    path: `${path}/candidates`,
    access: "operator",
    permission: "model:administer",
    summary: "List the embedding models that can be chosen",
    description:
      "The model that the environment names, the built-in one, and the embedding models of the " +
      "catalogue that are enabled and whose provider embeds texts.",
    query: pageQuery,
    ok: pageOf(Candidate),
  }),
  testModel: route({
    method: "post",
    path: `${path}/test`,
    access: "operator",
    permission: "model:administer",
    changes: "none",
    summary: "Test an embedding model: embed a short text",
    description:
      "Changes nothing. A model that does not answer as it should is a 200 with `ok: false` and " +
      "the reason in `error`.",
    body: ModelChoice,
    ok: z.object({
      ok: z.boolean(),
      model: z.string(),
      dimensions: z.number().int().optional().describe("Numbers in its vector"),
      latencyMs: z.number(),
      chunks: z
        .number()
        .int()
        .optional()
        .describe("Chunks that it has to embed when it is chosen"),
      error: ReportedError.optional(),
    }),
  }),
  chooseModel: route({
    method: "put",
    path,
    access: "operator",
    permission: "model:administer",
    changes: "embedding-model",
    summary: "Choose the embedding model for all documents",
    description:
      "The model is tested first, and its error is answered. It then embeds all chunks in the " +
      "background and replaces the one in use. The last of several choices counts. Texts that " +
      "it refused before are tried again.",
    body: ModelChoice,
    ok: ModelState.extend({ chosen: z.string().describe("The name of the chosen model") }),
  }),
  cancelModelChange: route({
    method: "delete",
    path: `${path}/next`,
    access: "operator",
    permission: "model:administer",
    changes: "embedding-model",
    summary: "Cancel the change of the embedding model; the one in use stays",
    failures: { 409: "No change is in progress, or the model in use cannot be asked." },
    ok: ModelState.extend({
      cancelled: z.string().nullable().describe("The model that does not replace it"),
    }),
  }),
};
