import { z } from "zod";
import { int4 } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Chunk } from "../embedding/contract.ts";
import { CHUNKING_METHODS, ChunkOptions } from "../embedding/contract-jobs.ts";
import { ParseMetadata, ParseOptions, ParseTrace } from "../parser/contract-jobs.ts";
import { PERSONAL_DATA } from "../users/contract-user-deletion.ts";

/** Source: design "Documents". */

export const DocumentStatus = z.enum([
  "UPLOADED",
  "PARSING",
  "PARSED",
  "EMBEDDING",
  "PROCESSED",
  "FAILED",
]);

/**
 * How files are read, cut and translated. What is not said here the folder around says, and at last
 * the services' defaults.
 */
export const ProcessingSettings = ParseOptions.extend(ChunkOptions.shape);
export type ProcessingSettings = z.output<typeof ProcessingSettings>;

/** Chunks that a preview shows. */
export const MAX_PREVIEWED = 100;

const Failure = z.object({
  stage: z.string(),
  code: z.string(),
  message: z.string(),
  trace: ParseTrace.optional().describe("Which backend was asked, and why it was not enough"),
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
  mimeType: z.string().describe("By the file's bytes"),
  size: z.number().int(),
  sha256: z.string(),
  folderId: z.uuid().nullable(),
  ownerId: z.string(),
  status: DocumentStatus,
  progress: z.number().min(0).max(1).describe("Of the step that it is in"),
  error: Failure.nullable(),
  skipped: z.boolean().describe("Failed, and left as it is"),
  parsing: ParseMetadata.nullable().describe(
    "What the parser says of it, and which backend gave what",
  ),
  indexing: Indexing.nullable().describe("What its index holds"),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type StoredDocument = z.output<typeof StoredDocument>;

export const UploadedDocument = StoredDocument.extend({
  deduplicated: z.boolean().describe("Whether it was there already"),
});
export type UploadedDocument = z.output<typeof UploadedDocument>;

/** A part of a document, as it is found. */
export const StoredChunk = Chunk.extend({
  id: z.uuid(),
  language: z.string().nullable(),
  translation: z.string().nullable().describe("What is searched instead, where it was translated"),
});
export type StoredChunk = z.output<typeof StoredChunk>;

export const Folder = z.object({
  id: z.uuid(),
  name: z.string(),
  parentId: z.uuid().nullable(),
  ownerId: z.string(),
  settings: ProcessingSettings.describe(
    "For the files in it; a changed setting holds for files that are processed from then on",
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
      "The same bytes of the same owner are one document: it is answered with 200 and `deduplicated: true`.",
    status: 201,
    also: { 200: "The same bytes are there already." },
    ok: UploadedDocument,
  }),
  uploadFor: route({
    method: "post",
    path: `${base}/on-behalf`,
    access: "service-secret",
    raw: true,
    upload: { as: ["bytes"] },
    summary: "Upload a file (its bytes are the body) in a person's name; for sibling services",
    query: z.object({
      userId: z.string().min(1).max(200),
      clientId: z.string().min(1).max(200),
      fileName: z.string().min(1).max(1_000),
    }),
    status: 201,
    also: { 200: "The same bytes are there already." },
    ok: StoredDocument.extend({ deduplicated: z.boolean() }),
  }),
  list: route({
    method: "get",
    path: base,
    access,
    permission: "document:read",
    summary:
      "Own documents, the last changed first; in a folder that is shared, those that lie in it",
    query: pageQuery.extend({
      folderId: z.uuid().optional(),
      status: DocumentStatus.optional(),
      query: z.string().max(200).optional().describe("Part of the name"),
    }),
    ok: pageOf(StoredDocument),
  }),
  resolve: route({
    method: "post",
    path: `${base}/resolve`,
    access: "service-secret",
    summary: "Which of these documents a user may see; for sibling services",
    body: z.object({ userId: z.string().min(1).max(200), ids: z.array(z.uuid()).min(1).max(500) }),
    ok: z.array(StoredDocument),
  }),
  listFolders: route({
    method: "get",
    path: `${base}/folders`,
    access,
    permission: "document:read",
    summary: "Own folders; with `parentId` those in it",
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
    summary: "Rename a folder, move it, or say how its files are processed",
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
    summary: "One document",
    params: byId,
    ok: StoredDocument,
  }),
  content: route({
    method: "get",
    path: `${base}/:id/content`,
    produces: ["*/*"],
    access: ["jwt", "key", "service-secret"],
    permission: "document:read",
    summary: "The file as it was uploaded",
    params: byId,
  }),
  markdown: route({
    method: "get",
    path: `${base}/:id/markdown`,
    produces: ["text/markdown"],
    access: ["jwt", "key", "service-secret"],
    permission: "document:read",
    summary: "What was read of it, as markdown; its pages are parted by form feeds",
    params: byId,
  }),
  chunks: route({
    method: "get",
    path: `${base}/:id/chunks`,
    access,
    permission: "document:read",
    summary: "The parts in which it is found, in order",
    params: byId,
    query: pageQuery,
    ok: pageOf(StoredChunk),
  }),
  previewChunks: route({
    method: "post",
    path: `${base}/:id/preview-chunks`,
    access,
    permission: "document:read",
    summary: "How it would be cut, without changing its index; what is not said its folder says",
    params: byId,
    body: ChunkOptions.omit({ translate: true }).default({}),
    ok: z.object({
      chunks: z.array(Chunk).describe(`The first ${MAX_PREVIEWED}`),
      totalChunks: z.number().int(),
      method: z.enum(CHUNKING_METHODS),
    }),
  }),
  events: route({
    method: "get",
    path: `${base}/:id/events`,
    access,
    permission: "document:read",
    summary: "Its state as it changes, until it is PROCESSED or FAILED",
    params: byId,
    stream: "sse",
    events: DocumentEvent,
  }),
  reprocess: route({
    method: "post",
    path: `${base}/:id/reprocess`,
    access,
    permission: "document:update",
    summary:
      "Process it again: from its bytes, or only cut and index what was read (`from: embedding`)",
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
    summary:
      "Begin to index it from another text than its file's, which ends what is in work; for the embedding service",
    params: byId,
    status: 201,
    ok: z.object({ attempt: z.uuid() }),
  }),
  saveIndex: route({
    method: "put",
    path: `${base}/:id/index`,
    access: "service-secret",
    summary:
      "It has an index of such a text, so it is PROCESSED; 409 when the attempt is over. For the embedding service",
    params: byId,
    body: Indexing.extend({ attempt: z.uuid() }),
  }),
  stop: route({
    method: "post",
    path: `${base}/:id/stop`,
    access,
    permission: "document:update",
    summary: "Stop what is in work; 409 when nothing is",
    params: byId,
    ok: StoredDocument,
  }),
  skip: route({
    method: "post",
    path: `${base}/:id/skip`,
    access,
    permission: "document:update",
    summary: "Leave a failed one as it is, for `retry-failed`; 409 when it has not failed",
    params: byId,
    ok: StoredDocument,
  }),
  retryFailed: route({
    method: "post",
    path: `${base}/retry-failed`,
    access,
    permission: "document:update",
    summary: "Process all own ones again that failed and are not skipped, at most 1,000 at once",
    body: z.object({ folderId: z.uuid().optional() }).default({}),
    status: 202,
    ok: z.object({ retried: z.number().int() }),
  }),
  summary: route({
    method: "get",
    path: `${base}/summary`,
    access,
    permission: "document:read",
    summary: "How many own ones are in which state, and how much of the quota they fill",
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
