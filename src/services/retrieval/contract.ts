import { z } from "zod";
import { route } from "../../platform/http/route.ts";
import { evaluationContract } from "./contract-evaluation.ts";
import { openAiSearchContract } from "./openai-api/contract-search.ts";
import { ExplainRequest, Explanation } from "./contract-explanation.ts";
import {
  ChunkMetadata,
  RetrieveRequest,
  RetrieveResponse,
  SimilaritySearch,
} from "./contract-retrieve.ts";

/** Peer services search everything; a signed-in user searches only documents that they may see. */
const access = ["internal", "jwt", "key"] as const;

export const retrievalContract = {
  ...evaluationContract,
  ...openAiSearchContract,
  retrieve: route({
    method: "post",
    path: "/api/v1/rag/retrieve",
    changes: "none",
    access,
    permission: "document:search",
    summary: "Find the chunks of documents that answer a question, best first",
    query: z.object({
      window: z.coerce
        .number()
        .int()
        .min(0)
        .max(5)
        .default(0)
        .describe("Neighbouring chunks on each side"),
    }),
    body: RetrieveRequest,
    ok: RetrieveResponse,
  }),
  explain: route({
    method: "post",
    path: "/api/v1/rag/explain",
    access: "jwt",
    permission: "document:search",
    changes: "none",
    summary:
      "Why a document is, or is not, among the results of a question, for each engine",
    body: ExplainRequest,
    ok: Explanation,
  }),
  similaritySearch: route({
    method: "post",
    path: "/api/v1/chunks/similarity-search",
    changes: "none",
    access,
    permission: "document:search",
    summary:
      "Find the chunks nearest to a vector; 409 when it has another model or other dimensions",
    body: SimilaritySearch,
    ok: z.object({
      results: z.array(
        z.object({
          chunkId: z.uuid(),
          documentId: z.uuid(),
          content: z.string(),
          score: z.number(),
          metadata: ChunkMetadata,
        }),
      ),
      totalResults: z.number().int(),
    }),
  }),
};
