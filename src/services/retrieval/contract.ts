import { z } from "zod";
import { route } from "../../platform/http/route.ts";

/**
 * Source: requirements 2 "Retrieval service"; design "Retrieval, embedding, parsing, conversion".
 */

/** A caller names at most so many documents. */
export const MAX_DOCUMENTS = 1_000;

export const ENGINES = ["default", "naive", "hybrid"] as const;

const Rerank = z.object({
  enabled: z.boolean().default(false),
  strategy: z
    .enum(["bge", "llm"])
    .default("bge")
    .describe("bge: the reranker at RERANKER_SERVICE_URL. llm: a language model orders"),
  topK: z
    .number()
    .int()
    .min(1)
    .max(50)
    .optional()
    .describe("Results kept. Default: all candidates"),
  score: z.number().min(0).max(1).optional().describe("Least score of a result that is kept"),
});
export type Rerank = z.output<typeof Rerank>;

export const RetrieveRequest = z.object({
  query: z.string().trim().min(1).max(8_000),
  grade: z
    .number()
    .min(0)
    .max(1)
    .describe(
      "Least cosine similarity. `naive`: of every result. `hybrid`: of what is found by its vector. `default`: `rerank.score` decides",
    ),
  similarityTopK: z.number().int().min(5).max(50).default(20).describe("Candidates"),
  docIds: z
    .array(z.uuid())
    .max(MAX_DOCUMENTS)
    .optional()
    .describe("Only in these documents; an empty list finds nothing"),
  engineName: z
    .enum(ENGINES)
    .default("default")
    .describe("default: by vectors. hybrid: by vectors and full text"),
  rerank: Rerank.optional(),
  userId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("From sibling services: only what this user may see"),
});
export type RetrieveRequest = z.output<typeof RetrieveRequest>;

const ChunkMetadata = z.object({
  chunkId: z.uuid(),
  documentId: z.uuid(),
  fileName: z.string(),
  chunkIndex: z.number().int(),
  pageNumber: z.number().int(),
  contentType: z.string(),
  headings: z.array(z.string()).describe("Of the sections that it stands in, the outermost first"),
  start: z.number().int().describe("In UTF-16 units of the document's markdown"),
  end: z.number().int(),
  language: z.string().nullable(),
  translation: z.string().nullable().describe("What was searched instead, where it was translated"),
});

const Neighbour = z.object({
  chunkIndex: z.number().int(),
  pageNumber: z.number().int(),
  content: z.string(),
});

export const RetrieveResult = z.object({
  content: z.string().describe("As it stands in the document"),
  score: z
    .number()
    .describe(
      "Cosine similarity; after reranking the reranker's; of `hybrid` a share of the best, 1 for what is the best by vector and by words",
    ),
  metadata: ChunkMetadata,
  neighbours: z.array(Neighbour).optional().describe("With `window`: chunks before and after it"),
});
export type RetrieveResult = z.output<typeof RetrieveResult>;

export const RetrieveResponse = z.object({
  results: z.array(RetrieveResult).describe("The best first"),
  query: z.string(),
  totalResults: z.number().int(),
  engineUsed: z.enum(["advanced", "naive", "hybrid"]),
  pipeline: z.object({
    reranked: z.boolean(),
    rerankStrategy: z.enum(["bge", "llm"]).nullable(),
    candidatesConsidered: z.number().int(),
    warnings: z
      .array(z.string())
      .describe("What could not be done, and why the answer comes nevertheless"),
  }),
});
export type RetrieveResponse = z.output<typeof RetrieveResponse>;

export const SimilaritySearch = z.object({
  queryEmbedding: z.array(z.number()).min(1).max(4_000),
  topK: z.number().int().min(1).max(100).default(20),
  docIds: z.array(z.uuid()).max(MAX_DOCUMENTS).optional(),
  model: z.string().max(300).optional().describe("That made the vector. Default: the one in use"),
  userId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("From sibling services: only what this user may see"),
});
export type SimilaritySearch = z.output<typeof SimilaritySearch>;

/**
 * `internal`: what the requirements call "Public" between services; a signed-in user sees only what
 * is his to see.
 */
const access = ["internal", "jwt", "key"] as const;

export const retrievalContract = {
  retrieve: route({
    method: "post",
    path: "/api/v1/rag/retrieve",
    access,
    permission: "document:search",
    summary: "The chunks of documents that answer a question, the best first",
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
  similaritySearch: route({
    method: "post",
    path: "/api/v1/chunks/similarity-search",
    access,
    permission: "document:search",
    summary:
      "The chunks nearest to a vector; 409 when stored vectors are of another model or dimension",
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
