import { z } from "zod";
import { int4 } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Chunk } from "../embedding/contract.ts";
import { CHUNKING_METHODS, ChunkOptions } from "../embedding/contract-jobs.ts";
import { ParseMetadata, ParseOptions, ParseTrace } from "../parser/contract-jobs.ts";
import { PERSONAL_DATA } from "../users/contract-user-deletion.ts";

export const DocumentStatus = z.enum([
  "UPLOADED",
  "PARSING",
  "PARSED",
  "EMBEDDING",
  "PROCESSED",
  "FAILED",
]);

/**
 * How files are parsed, cut into chunks and translated. A missing setting comes from the parent
 * folder, and at the top from the services' defaults.
 */
export const ProcessingSettings = ParseOptions.extend(ChunkOptions.shape);
export type ProcessingSettings = z.output<typeof ProcessingSettings>;

/** The most chunks that a preview returns. */
export const MAX_PREVIEWED_CHUNKS = 100;

const Failure = z.object({
  stage: z.string(),
  code: z.string(),
  message: z.string(),
  trace: ParseTrace.optional().describe("Which backends were tried, and why each failed"),
});

const Indexing = z.object({
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
  status: DocumentStatus,
  progress: z.number().min(0).max(1).describe("Progress of the current step"),
  error: Failure.nullable(),
  skipped: z.boolean().describe("Failed and excluded from `retry-failed`"),
  parsing: ParseMetadata.nullable().describe("What the parser found, and which backend found it"),
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

export const Folder = z.object({
  id: z.uuid(),
  name: z.string(),
  parentId: z.uuid().nullable(),
  ownerId: z.string(),
  settings: ProcessingSettings.describe(
    "Apply to the files in the folder; a change applies to files that are processed later",
  ),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Folder = z.output<typeof Folder>;

export const DocumentEvent = z.object({
  type: z.literal("status"),
  status: DocumentStatus,
  progress: z.number(),
  error: Failure.nullable(),
});
export type DocumentEvent = z.output<typeof DocumentEvent>;

const FileName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((name) => !/[/\\\p{C}]/u.test(name), "no slashes and no control characters");
const FolderName = z.string().trim().min(1).max(200);
const access = ["jwt", "key"] as const;

const byId = z.object({ id: z.uuid() });
/** The `requester` of the jobs that this service sends. */
export const JOB_REQUESTER = "documents";

const base = "/api/v1/documents";

export const documentsContract = {
  personalData: PERSONAL_DATA.documents,
  upload: route({
    method: "post",
    path: base,
    access,
    permission: "document:create",
    raw: true,
    upload: { as: ["multipart"], fields: z.object({ folderId: z.uuid().optional() }) },
    summary: "Upload a file (multipart/form-data: `folderId`, then `file`)",
    description:
      "An owner stores the same bytes once: a second upload returns the first document, " +
      "with status 200 and `deduplicated: true`.",
    status: 201,
    also: { 200: "The owner has stored these bytes already." },
    ok: UploadedDocument,
  }),
  uploadFor: route({
    method: "post",
    path: `${base}/on-behalf`,
    access: "service-secret",
    raw: true,
    upload: { as: ["bytes"] },
    summary: "Upload a file (its bytes are the body) on behalf of a user; for peer services",
    query: z.object({
      userId: z.string().min(1).max(200),
      clientId: z.string().min(1).max(200),
      fileName: z.string().min(1).max(1_000),
    }),
    status: 201,
    also: { 200: "The owner has stored these bytes already." },
    ok: StoredDocument.extend({ deduplicated: z.boolean() }),
  }),
  list: route({
    method: "get",
    path: base,
    access,
    permission: "document:read",
    summary:
      "List your documents and those shared with you, or those of a folder (`folderId`), " +
      "the last changed first",
    query: pageQuery.extend({
      folderId: z.uuid().optional(),
      status: DocumentStatus.optional(),
      query: z.string().max(200).optional().describe("Part of the name"),
    }),
    ok: pageOf(StoredDocument),
  }),
  titles: route({
    method: "get",
    path: `${base}/titles`,
    access: "jwt",
    permission: "document:read",
    summary:
      "The names of several documents and folders; those that the caller may not see are left out",
    query: z.object({
      ids: z
        .string()
        .max(10_000)
        .transform((ids) => [...new Set(ids.split(",").map((id) => id.trim()))])
        .pipe(z.array(z.uuid()).min(1).max(100))
        .describe("Comma-separated"),
    }),
    ok: z.array(
      z.object({
        id: z.uuid(),
        type: z.enum(["document", "folder"]),
        title: z.string(),
        updatedAt: z.iso.datetime(),
      }),
    ),
  }),
  resolve: route({
    method: "post",
    path: `${base}/resolve`,
    access: "service-secret",
    summary: "Find out which of these documents a user may see; for peer services",
    body: z.object({ userId: z.string().min(1).max(200), ids: z.array(z.uuid()).min(1).max(500) }),
    ok: z.array(StoredDocument),
  }),
  listFolders: route({
    method: "get",
    path: `${base}/folders`,
    access,
    permission: "document:read",
    summary: "List your folders, or those in another folder (`parentId`)",
    query: pageQuery.extend({ parentId: z.uuid().optional() }),
    ok: pageOf(Folder),
  }),
  createFolder: route({
    method: "post",
    path: `${base}/folders`,
    access,
    permission: "document:create",
    summary: "Create a folder",
    body: z.object({
      name: FolderName,
      parentId: z.uuid().nullable().default(null),
      settings: ProcessingSettings.default({}),
    }),
    status: 201,
    ok: Folder,
  }),
  changeFolder: route({
    method: "patch",
    path: `${base}/folders/:id`,
    access,
    permission: "document:update",
    summary: "Rename a folder, move it, or change how its files are processed",
    params: byId,
    body: z
      .object({ name: FolderName, parentId: z.uuid().nullable(), settings: ProcessingSettings })
      .partial(),
    ok: Folder,
  }),
  deleteFolder: route({
    method: "delete",
    path: `${base}/folders/:id`,
    access,
    permission: "document:delete",
    summary: "Delete an empty folder",
    params: byId,
  }),
  get: route({
    method: "get",
    path: `${base}/:id`,
    access,
    permission: "document:read",
    summary: "Get a document",
    params: byId,
    ok: StoredDocument,
  }),
  content: route({
    method: "get",
    path: `${base}/:id/content`,
    produces: ["*/*"],
    access: ["jwt", "key", "service-secret"],
    permission: "document:read",
    summary: "Download the file as it was uploaded",
    params: byId,
  }),
  markdown: route({
    method: "get",
    path: `${base}/:id/markdown`,
    produces: ["text/markdown"],
    access: ["jwt", "key", "service-secret"],
    permission: "document:read",
    summary: "Get the text of a document as markdown; form feeds separate its pages",
    params: byId,
  }),
  chunks: route({
    method: "get",
    path: `${base}/:id/chunks`,
    access,
    permission: "document:read",
    summary: "List the chunks of a document, in order",
    params: byId,
    query: pageQuery,
    ok: pageOf(StoredChunk),
  }),
  previewChunks: route({
    method: "post",
    path: `${base}/:id/preview-chunks`,
    access,
    permission: "document:read",
    summary: "Preview the chunks of a document with other settings, without changing its index",
    description: "A missing setting comes from the document's folder.",
    params: byId,
    body: ChunkOptions.omit({ translate: true }).default({}),
    ok: z.object({
      chunks: z.array(Chunk).describe(`The first ${MAX_PREVIEWED_CHUNKS}`),
      totalChunks: z.number().int(),
      method: z.enum(CHUNKING_METHODS),
    }),
  }),
  events: route({
    method: "get",
    path: `${base}/:id/events`,
    access,
    permission: "document:read",
    summary: "Follow the status of a document until it is PROCESSED or FAILED",
    params: byId,
    stream: "sse",
    events: DocumentEvent,
  }),
  reprocess: route({
    method: "post",
    path: `${base}/:id/reprocess`,
    access,
    permission: "document:update",
    summary: "Process a document again: all of it, or the indexing only (`from: embedding`)",
    params: byId,
    body: z
      .object({ from: z.enum(["parsing", "embedding"]).default("parsing") })
      .default({ from: "parsing" }),
    status: 202,
    ok: StoredDocument,
  }),
  takeOver: route({
    method: "post",
    path: `${base}/:id/attempts`,
    access: "service-secret",
    summary: "Start an attempt to index another text than the file's; for the embedding service",
    description: "Ends an attempt in progress.",
    params: byId,
    status: 201,
    ok: z.object({ attempt: z.uuid() }),
  }),
  saveIndex: route({
    method: "put",
    path: `${base}/:id/index`,
    access: "service-secret",
    summary: "Complete such an attempt: the document is PROCESSED; for the embedding service",
    description: "Returns 409 when the attempt is over.",
    params: byId,
    body: Indexing.extend({ attempt: z.uuid() }),
  }),
  stop: route({
    method: "post",
    path: `${base}/:id/stop`,
    access,
    permission: "document:update",
    summary: "Stop processing a document; 409 when it is not being processed",
    params: byId,
    ok: StoredDocument,
  }),
  skip: route({
    method: "post",
    path: `${base}/:id/skip`,
    access,
    permission: "document:update",
    summary: "Exclude a failed document from `retry-failed`; 409 when it has not failed",
    params: byId,
    ok: StoredDocument,
  }),
  retryFailed: route({
    method: "post",
    path: `${base}/retry-failed`,
    access,
    permission: "document:update",
    summary: "Process your failed documents again, except skipped ones; at most 1,000 per call",
    body: z.object({ folderId: z.uuid().optional() }).default({}),
    status: 202,
    ok: z.object({ retried: z.number().int() }),
  }),
  summary: route({
    method: "get",
    path: `${base}/summary`,
    access,
    permission: "document:read",
    summary: "Count your documents by status, and report how much of the quota they use",
    ok: z.object({
      counts: z.record(DocumentStatus, z.number().int()),
      bytes: z.number(),
      quotaBytes: z.number(),
    }),
  }),
  change: route({
    method: "patch",
    path: `${base}/:id`,
    access,
    permission: "document:update",
    summary: "Rename a document or move it",
    params: byId,
    body: z.object({ fileName: FileName, folderId: z.uuid().nullable() }).partial(),
    ok: StoredDocument,
  }),
  remove: route({
    method: "delete",
    path: `${base}/:id`,
    access,
    permission: "document:delete",
    summary: "Delete a document and its bytes",
    params: byId,
  }),
};
