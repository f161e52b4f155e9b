import { z } from "zod";
import { StoredFailure } from "../../platform/http/reported-error.ts";
import { AttributeFilter } from "../documents/contract-attributes.ts";
import { MAX_RESOLVED } from "../documents/contract-folders.ts";
import { DocumentStatus } from "../documents/contract-stored.ts";
import { PageNumber, Place } from "../embedding/contract-places.ts";

/** The most documents that a request may name. */
const MAX_DOCUMENTS = 1_000;
export const MAX_FOLDERS = MAX_RESOLVED;

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
  similarityTopK: z
    .number()
    .int()
    .min(5)
    .max(50)
    .default(20)
    .describe("Number of candidates"),
  docIds: z
    .array(z.uuid())
    .max(MAX_DOCUMENTS)
    .optional()
    .describe("Searches only these documents; an empty list finds nothing"),
  alsoDocIds: z
    .array(z.uuid())
    .max(MAX_DOCUMENTS)
    .optional()
    .describe(
      "Searches these attachments too, which a search of all your documents leaves out; without " +
        "effect beside `docIds` and `folderIds`",
    ),
  folderIds: z
    .array(z.uuid())
    .max(MAX_FOLDERS)
    .optional()
    .describe(
      "Searches only documents of these folders, and files that are attached to them",
    ),
  attributes: AttributeFilter.optional().describe(
    "With `folderIds`: only files with such attributes in these vector stores. " +
      "A file without the attribute fulfils `ne` and `nin` only",
  ),
  engineName: z
    .enum(ENGINES)
    .default("default")
    .describe(
      "default: by vectors alone; it may miss names, numbers and rare words. hybrid: by vectors " +
        "and full text; of chunks that are nearly the same, the two best",
    ),
  rerank: Rerank.optional(),
  userId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("For other services: searches only documents that this user may see"),
});
export type RetrieveRequest = z.output<typeof RetrieveRequest>;

export const ChunkMetadata = z.object({
  chunkId: z.uuid(),
  documentId: z.uuid(),
  fileName: z.string(),
  chunkIndex: z.number().int(),
  pageNumber: PageNumber,
  place: Place,
  contentType: z.string(),
  headings: z.array(z.string()).describe("Headings of its sections, the outermost first"),
  start: z.number().int().describe("In UTF-16 units of the document's markdown"),
  end: z.number().int(),
  language: z.string().nullable(),
  translation: z
    .string()
    .nullable()
    .describe("The English text that is searched, when translated"),
});

const Neighbour = z.object({
  chunkIndex: z.number().int(),
  pageNumber: PageNumber,
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

/** Why a search found nothing. */
export const NotFoundReason = z
  .enum(["below_threshold", "not_processed", "not_available", "no_documents"])
  .describe(
    "below_threshold: no chunk reaches `grade` or `rerank.score`, or has a word of the question. " +
      "not_processed: no document of the search has been processed. " +
      "not_available: the named documents do not exist, or are not shared. " +
      "no_documents: there is nothing to search",
  );

/** The most documents that are named, and passages that are offered, where nothing was found. */
export const MAX_NAMED = 5;
export const MAX_NEAREST = 3;

export const NothingFound = z.object({
  reason: NotFoundReason,
  waiting: z
    .array(z.object({ documentId: z.uuid(), fileName: z.string(), status: DocumentStatus }))
    .describe(
      `Documents of the search that cannot be searched yet, or failed; ${MAX_NAMED} at most`,
    ),
  waitingCount: z.number().int().describe("How many these are"),
  unavailable: z
    .number()
    .int()
    .describe("How many of `docIds` do not exist, or are not shared"),
  nearest: z
    .array(RetrieveResult)
    .describe(`The nearest chunks below the threshold, ${MAX_NEAREST} at most`),
});
export type NothingFound = z.output<typeof NothingFound>;

export const RetrieveResponse = z.object({
  results: z.array(RetrieveResult).describe("The best first"),
  query: z.string(),
  totalResults: z.number().int(),
  engineUsed: z.enum(["advanced", "naive", "hybrid"]),
  pipeline: z.object({
    reranked: z.boolean(),
    rerankStrategy: z.enum(["bge", "llm"]).nullable(),
    candidatesConsidered: z.number().int(),
    warnings: z.array(StoredFailure).describe("What failed without preventing the answer"),
  }),
  notFound: NothingFound.optional().describe("Why there are no results; only then"),
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
    .describe("For other services: searches only documents that this user may see"),
});
export type SimilaritySearch = z.output<typeof SimilaritySearch>;
