import { z } from "zod";
import { int4 } from "../../platform/http/bounds.ts";
import { StoredFailure } from "../../platform/http/reported-error.ts";
import { Chunk } from "../embedding/contract.ts";
import { ChunkOptions } from "../embedding/contract-jobs.ts";
import { ParseMetadata, ParseOptions, ParseTrace } from "../parser/contract-jobs.ts";

/** Documents and their chunks, as they are stored and shown. */

export const DocumentStatus = z.enum([
  "UPLOADED",
  "PARSING",
  "PARSED",
  "EMBEDDING",
  "PROCESSED",
  "FAILED",
]);

/** How long an attachment is kept that no message has. */
export const UNSENT_ATTACHMENT_DAYS = 7;

/** What lists of documents are sorted by. */
export const DocumentSort = z.enum(["updatedAt", "fileName", "size", "status"]);
export type DocumentSort = z.output<typeof DocumentSort>;

/**
 * How files are parsed, cut into chunks and translated. A missing setting comes from the parent
 * folder, and at the top from the services' defaults.
 */
export const ProcessingSettings = ParseOptions.extend(ChunkOptions.shape);
export type ProcessingSettings = z.output<typeof ProcessingSettings>;

const Failure = StoredFailure.extend({
  stage: z.string(),
  trace: ParseTrace.optional().describe("Which backends were tried, and why each failed"),
});

export const Indexing = z.object({
  chunks: int4(),
  embedded: int4(),
  translated: int4(),
  model: z.string().max(300),
  dimensions: int4(),
});

export const StoredDocument = z.object({
  id: z.uuid(),
  fileName: z.string(),
  mimeType: z.string().describe("Detected from the file's bytes"),
  size: z.number().int(),
  sha256: z.string(),
  folderId: z.uuid().nullable(),
  ownerId: z.string(),
  isAttachment: z
    .boolean()
    .describe(
      "Given to a conversation or a form: listed and searched only there, and deleted with it",
    ),
  status: DocumentStatus,
  progress: z.number().min(0).max(1).describe("Progress of the current step"),
  error: Failure.nullable(),
  skipped: z.boolean().describe("Failed and excluded from `retry-failed`"),
  parsing: ParseMetadata.nullable().describe(
    "What the parser found, and which backend found it",
  ),
  indexing: Indexing.nullable().describe("What the index of the document contains"),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type StoredDocument = z.output<typeof StoredDocument>;

export const UploadedDocument = StoredDocument.extend({
  deduplicated: z.boolean().describe("Whether the document existed already"),
});
export type UploadedDocument = z.output<typeof UploadedDocument>;

/** A chunk of a document, as it is indexed. */
export const StoredChunk = Chunk.extend({
  id: z.uuid(),
  language: z.string().nullable(),
  translation: z
    .string()
    .nullable()
    .describe("The English text that is searched, when the chunk was translated"),
});
export type StoredChunk = z.output<typeof StoredChunk>;

export const DocumentEvent = z.object({
  type: z.literal("status"),
  status: DocumentStatus,
  progress: z.number(),
  error: Failure.nullable(),
});
export type DocumentEvent = z.output<typeof DocumentEvent>;
