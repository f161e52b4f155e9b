import { z } from "zod";

/** What goes over the parser's queues. Source: requirements 2 "Events", design "Queue messages". */

export const PARSING_JOBS = "parsing_jobs";
export const PARSING_PROGRESS = "parsing_progress";
export const PARSING_RESULTS = "parsing_results";
/** Ours beyond the requirements: a job that nobody wants any more. */
export const PARSING_STOPS = "parsing_stops";

/** How a file is to be read; what is not said is decided by its type. */
export const ParseOptions = z
  .object({
    parserMethod: z.string().max(100),
    extractTables: z.boolean(),
    extractImages: z.boolean(),
    ocrEnabled: z.boolean(),
    ocrMode: z.enum(["auto", "always", "never"]),
    captionImages: z.boolean(),
  })
  .partial();
export type ParseOptions = z.output<typeof ParseOptions>;

export const ParsingJob = z.object({
  /** One attempt at one document: results of another are of no interest. */
  jobId: z.uuid(),
  /** What hears of it; a job that is asked for over HTTP may have none. */
  documentId: z.uuid().optional(),
  userId: z.string().optional(),
  fileName: z.string(),
  /** Of the bytes in the file storage. */
  storageKey: z.string(),
  options: ParseOptions.default({}),
});
export type ParsingJob = z.output<typeof ParsingJob>;

export const ParsingStop = z.object({
  jobId: z.uuid(),
  /** The document is gone, and with it what the job tells of it. */
  forget: z.boolean().optional(),
});
export type ParsingStop = z.output<typeof ParsingStop>;

export const ParsingProgress = z.object({
  jobId: z.string(),
  documentId: z.string(),
  stage: z.literal("parsing"),
  progress: z.number().min(0).max(1),
  message: z.string().optional(),
});
export type ParsingProgress = z.output<typeof ParsingProgress>;

/** What one backend made of the file, in the order in which they were asked. */
export const ParseTrace = z.array(
  z.object({
    backend: z.string(),
    outcome: z.enum(["used", "improved", "skipped", "failed"]),
    /** Why it was not enough, or why it was not asked. */
    reason: z.string().optional(),
    durationMs: z.number(),
  }),
);
export type ParseTrace = z.output<typeof ParseTrace>;

export const ParseMetadata = z.object({
  pages: z.number().int(),
  title: z.string().optional(),
  author: z.string().optional(),
  language: z.string().optional(),
  parserMethod: z.string(),
  fallbacks: z.array(z.object({ backend: z.string(), error: z.string() })),
  warnings: z.array(z.string()),
  durationMs: z.number(),
  trace: ParseTrace,
});
export type ParseMetadata = z.output<typeof ParseMetadata>;

/** Why a file could not be read, and what became of it at each backend. */
export const ParseError = z.object({
  code: z.string(),
  message: z.string(),
  trace: ParseTrace.optional(),
});
export type ParseError = z.output<typeof ParseError>;

const job = { jobId: z.string(), documentId: z.string() };
export const ParsingResult = z.discriminatedUnion("status", [
  /** `markdownKey`: the markdown in the file storage, its pages parted by form feeds. */
  z.object({
    ...job,
    status: z.literal("completed"),
    markdownKey: z.string(),
    metadata: ParseMetadata,
  }),
  z.object({ ...job, status: z.literal("failed"), error: ParseError }),
]);
export type ParsingResult = z.output<typeof ParsingResult>;
