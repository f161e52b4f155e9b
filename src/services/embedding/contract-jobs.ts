import { z } from "zod";
import { StoredFailure } from "../../platform/http/reported-error.ts";
import { TextLayout } from "../parser/contract-jobs.ts";

/** The messages of the embedding service's queues. */

export const EMBEDDING_JOBS = "embedding_jobs";
export const EMBEDDING_PROGRESS = "embedding_progress";
export const EMBEDDING_RESULTS = "embedding_results";

export const CHUNKING_METHODS = [
  "lib_recursive",
  "lib_text_splitter",
  "semchunk",
  "fixed_size",
] as const;

/**
 * How a text is cut, and whether it is translated to English. Missing options have the service's
 * defaults.
 */
export const ChunkOptions = z
  .object({
    method: z.enum(CHUNKING_METHODS),
    chunkSize: z.number().int().min(16).max(8192).describe("In tokens"),
    chunkOverlap: z.number().int().min(0).max(4096).describe("In tokens"),
    translate: z.boolean(),
  })
  .partial();
export type ChunkOptions = z.output<typeof ChunkOptions>;

export const EmbeddingJob = z
  .object({
    /** The id of the attempt; results of another attempt are ignored. */
    jobId: z.uuid(),
    documentId: z.uuid(),
    fileName: z.string(),
    /** The key of the markdown in the file storage; form feeds separate its pages. */
    storageKey: z.string().optional(),
    text: z.string().optional(),
    options: ChunkOptions.default({}),
    layout: TextLayout.optional(),
    /**
     * The system that sends the job. The documents service gives each attempt a job id, so its
     * message about a former attempt has no effect. A job of another system starts an attempt.
     */
    requester: z.string().max(100).optional(),
  })
  .refine(
    ({ storageKey, text }) => storageKey !== undefined || text !== undefined,
    "needs a storageKey or a text",
  );
export type EmbeddingJob = z.output<typeof EmbeddingJob>;

export const EmbeddingProgress = z.object({
  jobId: z.string(),
  documentId: z.string(),
  stage: z.literal("embedding"),
  progress: z.number().min(0).max(1),
  message: z.string().optional(),
});
export type EmbeddingProgress = z.output<typeof EmbeddingProgress>;

const job = { jobId: z.string(), documentId: z.string() };
export const EmbeddingResult = z.discriminatedUnion("status", [
  z.object({
    ...job,
    status: z.literal("completed"),
    chunks: z.number().int(),
    embedded: z.number().int(),
    translated: z.number().int(),
    model: z.string(),
    dimensions: z.number().int(),
  }),
  z.object({
    ...job,
    status: z.literal("failed"),
    error: StoredFailure,
  }),
]);
export type EmbeddingResult = z.output<typeof EmbeddingResult>;
