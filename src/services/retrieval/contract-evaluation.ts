import { z } from "zod";
import { MAX_BODY_BYTES, MAX_BODY_VALUES, route } from "../../platform/http/route.ts";
import { StoredFailure } from "../../platform/http/reported-error.ts";
import { RetrieveRequest } from "./contract-retrieve.ts";

export const MAX_EVALUATED_QUESTIONS = 1_000;
const MAX_EVALUATED_VARIANTS = 20;
/** Questions times variants: each is a search. */
const MAX_EVALUATED_SEARCHES = 5_000;
const MAX_EXPECTED = 50;
/** The most questions without an answer that the figures of a variant name. */
export const MAX_MISSED = 20;

const Expected = z
  .object({
    documentId: z.uuid().optional(),
    fileName: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe("Name of the document; any document with this name counts"),
    passage: z
      .string()
      .trim()
      .min(1)
      .max(8_000)
      .optional()
      .describe(
        "Text of the document. A chunk answers that holds half of its words, in order",
      ),
  })
  .refine(({ documentId, fileName, passage }) => documentId ?? fileName ?? passage, {
    message: "name a documentId, a fileName or a passage",
  });
export type Expected = z.output<typeof Expected>;

export const EvaluatedQuestion = z.object({
  query: RetrieveRequest.shape.query,
  expected: z
    .array(Expected)
    .min(1)
    .max(MAX_EXPECTED)
    .describe("What answers the question"),
});
export type EvaluatedQuestion = z.output<typeof EvaluatedQuestion>;

const Variant = RetrieveRequest.pick({
  grade: true,
  engineName: true,
  similarityTopK: true,
  docIds: true,
  rerank: true,
}).extend({
  name: z.string().trim().min(1).max(200).describe("Names the variant in the figures"),
  grade: RetrieveRequest.shape.grade.default(0),
  similarityTopK: RetrieveRequest.shape.similarityTopK.unwrap().default(50),
});

export const EvaluationRequest = z
  .object({
    questions: z.array(EvaluatedQuestion).min(1).max(MAX_EVALUATED_QUESTIONS),
    variants: z
      .array(Variant)
      .min(1)
      .max(MAX_EVALUATED_VARIANTS)
      .describe("Ways of retrieving that are compared"),
  })
  .refine(
    ({ questions, variants }) =>
      questions.length * variants.length <= MAX_EVALUATED_SEARCHES,
    {
      path: ["questions"],
      message: `questions times variants must be at most ${MAX_EVALUATED_SEARCHES}: ask fewer at once`,
    },
  );
export type EvaluationRequest = z.output<typeof EvaluationRequest>;

const Share = z.number().min(0).max(1);

export const VariantFigures = z.object({
  name: z.string(),
  questions: z.number().int(),
  ndcgAt10: Share.describe("Normalised discounted cumulative gain of the first ten"),
  recallAt10: Share.describe("The share of what was expected that is among the first ten"),
  mrrAt10: Share.describe(
    "The mean of 1 / rank of the first answer; 0 beyond the first ten",
  ),
  medianMs: z.number().min(0).describe("The median time of a search"),
  missed: z
    .array(z.string())
    .describe(`Questions with no answer among the first ten; at most ${MAX_MISSED}`),
  warnings: z.array(StoredFailure).describe("What failed without preventing an answer"),
});
export type VariantFigures = z.output<typeof VariantFigures>;

const EvaluationEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("progress"),
    done: z.number().int().describe("Searches that have ended"),
    total: z.number().int(),
  }),
  z.object({ type: z.literal("result"), variants: z.array(VariantFigures) }),
  StoredFailure.extend({ type: z.literal("error") }),
]);
export type EvaluationEvent = z.output<typeof EvaluationEvent>;

export const evaluationContract = {
  evaluate: route({
    method: "post",
    path: "/api/v1/rag/evaluate",
    access: ["jwt", "key"],
    permission: "document:search",
    changes: "none",
    summary:
      "Measure ways of retrieving by questions with known answers; a stream with progress",
    description:
      "Searches the documents that you may see. With passages, the ranks are those of chunks, " +
      "otherwise those of documents. Ends with the event `result` or `error`; closing the stream " +
      "cancels it.",
    body: EvaluationRequest,
    maxBody: MAX_BODY_BYTES,
    maxValues: MAX_BODY_VALUES,
    stream: "sse",
    events: EvaluationEvent,
    streamLimit: 1,
  }),
};
