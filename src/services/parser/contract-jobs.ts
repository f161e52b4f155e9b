import { z } from "zod";
import { MAX_LAYOUT_LINES, MAX_LAYOUT_NAMES } from "@parlance/to-markdown/parsed-file.ts";
import { StoredFailure } from "../../platform/http/reported-error.ts";

/** The messages of the parser's queues. */

export const PARSING_JOBS = "parsing_jobs";
export const PARSING_PROGRESS = "parsing_progress";
export const PARSING_RESULTS = "parsing_results";
/** Stops jobs that are no longer needed. */
export const PARSING_STOPS = "parsing_stops";

/** The key of the markdown of a job in the file storage. */
export function markdownKeyOf(jobId: string): string {
  return `parsed/${jobId}.md`;
}

/** The most characters of a file's password. Office accepts 255, PDF 127 bytes. */
export const MAX_PASSWORD_CHARACTERS = 255;

/** How a file is parsed. Missing options depend on its type. */
export const ParseOptions = z
  .object({
    parserMethod: z.string().max(100),
    extractTables: z.boolean(),
    extractImages: z.boolean(),
    ocrEnabled: z.boolean(),
    ocrMode: z.enum(["auto", "always", "never"]),
    captionImages: z.boolean(),
    /** Whether a file that is a picture goes to a vision model though nobody asked for OCR. */
    sendsPictures: z.boolean(),
  })
  .partial();
export type ParseOptions = z.output<typeof ParseOptions>;

export const ParsingJob = z.object({
  /** The id of the attempt; results of another attempt are ignored. */
  jobId: z.uuid(),
  /** The document that gets the result; a job started over HTTP may have none. */
  documentId: z.uuid().optional(),
  userId: z.string().optional(),
  fileName: z.string(),
  /** The key of the file in the file storage. */
  storageKey: z.string(),
  options: ParseOptions.default({}),
  /** The system that sends the job; its results repeat it. */
  requester: z.string().max(100).optional(),
  /** Of another system: set by the parser when it sends such a job again. */
  foreign: z.boolean().optional(),
});
export type ParsingJob = z.output<typeof ParsingJob>;

export const ParsingStop = z.object({
  jobId: z.uuid(),
  /** The document was deleted, so the data of the job is deleted too. */
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

/** No text has more parts or lines, no sheet more rows. */
const MAX_NUMBER = 1_000_000_000;
const LineNumber = z.number().int().min(0).max(MAX_NUMBER);
/** A list of three: what describes the API has no tuples. */
const LineNumbers = z.array(LineNumber).length(3) as unknown as z.ZodType<
  [part: number, line: number, number: number]
>;

/**
 * What the parts of a text are, which form feeds separate, and where its lines stand, as far as the
 * file itself says so.
 */
export const TextLayout = z.object({
  kind: z
    .enum(["pages", "slides", "sheets", "chapters", "none"])
    .describe("none: the file does not say on which page its text is"),
  parts: z
    .number()
    .int()
    .min(0)
    .max(MAX_NUMBER)
    .describe("How many parts, from the first, are of this kind; attached files follow"),
  names: z
    .array(z.string().max(200))
    .max(MAX_LAYOUT_NAMES)
    .optional()
    .describe("Of sheets or chapters, in order; empty for one without"),
  lines: z
    .array(LineNumbers)
    .max(MAX_LAYOUT_LINES + 1)
    .optional()
    .describe(
      "[part, line, number]: from this line of a part on (parts count from 1, lines from 0), lines " +
        "are on this page, or successive rows of a sheet; 0: it is not known",
    ),
});
export type TextLayout = z.output<typeof TextLayout>;

const SLIDES = /presentation|powerpoint/;
const PAGES = /^(?:application\/pdf$|image\/(?!svg))/;

/** The layout of a text that a backend read which does not say it. */
export function layoutOfType(mimeType: string, parts: number): TextLayout {
  if (PAGES.test(mimeType)) return { kind: "pages", parts };
  return { kind: SLIDES.test(mimeType) ? "slides" : "none", parts };
}

/** What each backend did, in the order in which they were tried. */
export const ParseTrace = z.array(
  z.object({
    backend: z.string(),
    outcome: z.enum(["used", "improved", "skipped", "failed"]),
    /** Why it failed or was skipped. */
    reason: z.string().optional(),
    durationMs: z.number(),
  }),
);
export type ParseTrace = z.output<typeof ParseTrace>;

export const ParseMetadata = z.object({
  pages: z
    .number()
    .int()
    .describe("How many parts form feeds separate: pages, slides, sheets, chapters"),
  layout: TextLayout.optional(),
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

/** Why a file could not be parsed, and what each backend did. */
export const ParseError = StoredFailure.extend({
  trace: ParseTrace.optional(),
});
export type ParseError = z.output<typeof ParseError>;

const job = {
  jobId: z.string(),
  documentId: z.string(),
  /** As in the job. Another system's markdown is not the documents service's to delete. */
  requester: z.string().optional(),
};
export const ParsingResult = z.discriminatedUnion("status", [
  /** `markdownKey`: the key of the markdown in the file storage; form feeds separate its pages. */
  z.object({
    ...job,
    status: z.literal("completed"),
    markdownKey: z.string(),
    metadata: ParseMetadata,
  }),
  z.object({ ...job, status: z.literal("failed"), error: ParseError }),
]);
export type ParsingResult = z.output<typeof ParsingResult>;
