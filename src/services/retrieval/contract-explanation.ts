import { z } from "zod";
import { DocumentStatus } from "../documents/contract-stored.ts";
import { ENGINES, RetrieveRequest, RetrieveResult } from "./contract-retrieve.ts";

const Reason = z.enum([
  "found",
  "outranked",
  "below_grade",
  "not_indexed",
  "no_text",
  "no_access",
]);

export const Explanation = z.object({
  fileName: z.string().nullable().describe("null without access"),
  status: DocumentStatus.nullable().describe("Status of the document; null without access"),
  similarity: z
    .number()
    .nullable()
    .describe("Cosine similarity of its nearest chunk; null where it has none"),
  matchesWords: z.boolean().describe("Whether a chunk has a word of the question"),
  passage: RetrieveResult.nullable().describe("Its nearest chunk"),
  engines: z.array(
    z.object({
      engineName: z.enum(ENGINES),
      reason: Reason.describe(
        "outranked: other chunks are better, or nearly the same. below_grade: no chunk reaches `grade`. " +
          "not_indexed: it was never PROCESSED. no_text: nothing in it can be searched. " +
          "no_access: it does not exist, or is not shared",
      ),
      rank: z
        .number()
        .int()
        .nullable()
        .describe(
          "The place of its best chunk, from 1; null: not among the best candidates",
        ),
    }),
  ),
});
export type Explanation = z.output<typeof Explanation>;

export const ExplainRequest = RetrieveRequest.pick({
  query: true,
  grade: true,
  similarityTopK: true,
}).extend({ documentId: z.uuid() });
export type ExplainRequest = z.output<typeof ExplainRequest>;
