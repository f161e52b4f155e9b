import { z } from "zod";
import { route } from "../../platform/http/route.ts";
import { DocumentStatus } from "../documents/contract.ts";

/** The most documents that a request may name. */
export const MAX_DOCUMENTS = 1_000;

export const ENGINES = ["default", "naive", "hybrid"] as const;

const Rerank = z.object({
  enabled: z.boolean().default(false),
  strategy: z
    .enum(["bge", "llm"])
    .default("bge")
    .describe("bge: the reranker at RERANKER_SERVICE_URL. llm: a language model"),
  topK: z
    .number()
    .int()
    .min(1)
    .max(50)
    .optional()
    .describe("The most results. Default: all candidates"),
  score: z.number().min(0).max(1).optional().describe("Minimum score of a result"),
});
export type Rerank = z.output<typeof Rerank>;

export const RetrieveRequest = z.object({
  query: z.string().trim().min(1).max(8_000),
  grade: z
    .number()
    .min(0)
    .max(1)
    .describe(
      "Minimum cosine similarity. `naive`: of every result. `hybrid`: of results found by vector. " +
        "`default`: ignored; use `rerank.score`",
    ),
  similarityTopK: z.number().int().min(5).max(50).default(20).describe("Number of candidates"),
  docIds: z
    .array(z.uuid())
    .max(MAX_DOCUMENTS)
    .optional()
    .describe("Searches only these documents; an empty list finds nothing"),
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
    .describe("For peer services: searches only documents that this user may see"),
});
export type RetrieveRequest = z.output<typeof RetrieveRequest>;

const ChunkMetadata = z.object({
  chunkId: z.uuid(),
  documentId: z.uuid(),
  fileName: z.string(),
  chunkIndex: z.number().int(),
  pageNumber: z.number().int(),
  contentType: z.string(),
  headings: z.array(z.string()).describe("Headings of its sections, the outermost first"),
  start: z.number().int().describe("In UTF-16 units of the document's markdown"),
  end: z.number().int(),
  language: z.string().nullable(),
  translation: z.string().nullable().describe("The English text that is searched, when translated"),
});

const Neighbour = z.object({
  chunkIndex: z.number().int(),
  pageNumber: z.number().int(),
  content: z.string(),
});

export const RetrieveResult = z.object({
  content: z.string().describe("As it is in the document"),
  score: z
    .number()
    .describe(
      "Cosine similarity; after reranking, the reranker's score; with `hybrid`, relative to the " +
        "best: 1 for a chunk that is best by vector and by words",
    ),
  metadata: ChunkMetadata,
  neighbours: z
    .array(Neighbour)
    .optional()
    .describe("With `window`: the chunks before and after it"),
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
    warnings: z.array(z.string()).describe("What failed without preventing the answer"),
  }),
});
export type RetrieveResponse = z.output<typeof RetrieveResponse>;

/** The database computes with numbers of four bytes: neither a square nor a sum may overflow. */
const MAX_NUMBER = 1e15;
/** The cosine of a shorter vector is not defined in such numbers. */
const MIN_NORM = 1e-15;

export const SimilaritySearch = z.object({
  queryEmbedding: z
    .array(z.number().min(-MAX_NUMBER).max(MAX_NUMBER))
    .min(1)
    .max(4_000)
    .refine((vector) => Math.hypot(...vector) > MIN_NORM, "must not be zero"),
  topK: z.number().int().min(1).max(100).default(20),
  docIds: z.array(z.uuid()).max(MAX_DOCUMENTS).optional(),
  model: z
    .string()
    .max(300)
    .optional()
    .describe("The model of the vector. Default: the active one"),
  userId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("For peer services: searches only documents that this user may see"),
});
export type SimilaritySearch = z.output<typeof SimilaritySearch>;

const Reason = z.enum(["found", "outranked", "below_grade", "not_indexed", "no_text", "no_access"]);

const Explanation = z.object({
  fileName: z.string().nullable().describe("null without access"),
  status: DocumentStatus.nullable().describe("Of the document; null without access"),
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
        "outranked: other chunks are better. below_grade: no chunk reaches `grade`. " +
          "not_indexed: it was never PROCESSED. no_text: nothing in it can be searched. " +
          "no_access: it does not exist, or is not shared",
      ),
      rank: z
        .number()
        .int()
        .nullable()
        .describe("The place of its best chunk, from 1; null: not among the best candidates"),
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

/** Peer services search everything; a signed-in user searches only documents that they may see. */
const access = ["internal", "jwt", "key"] as const;

export const retrievalContract = {
  retrieve: route({
    method: "post",
    path: "/api/v1/rag/retrieve",
    access,
    permission: "document:search",
    summary: "Find the chunks of documents that answer a question, the best first",
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
    summary: "Why a document is, or is not, among the results of a question, for each engine",
    body: ExplainRequest,
    ok: Explanation,
  }),
  similaritySearch: route({
    method: "post",
    path: "/api/v1/chunks/similarity-search",
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
