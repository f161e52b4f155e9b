import { z } from "zod";
import { flagText, RANGE_HEADERS } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Chunk } from "../embedding/contract.ts";
import { CHUNKING_METHODS, ChunkOptions } from "../embedding/contract-jobs.ts";
import { MAX_PAGE, OriginalPage } from "../parser/original/contract.ts";
import { MAX_TABLE_DOCUMENTS } from "../parser/tables/contract.ts";
import { PERSONAL_DATA } from "../users/contract-user-deletion.ts";
import { foldersContract } from "./contract-folders.ts";
import { FilePassword, processingContract } from "./contract-processing.ts";
import { AlsoIds, MAX_NAMED_DOCUMENTS, textsContract } from "./contract-texts.ts";
import { openAiFilesContract } from "./openai-api/contract-files.ts";
import { vectorStoresContract } from "./openai-api/contract-vector-stores.ts";
import {
  DocumentEvent,
  DocumentSort,
  DocumentStatus,
  UNSENT_ATTACHMENT_DAYS,
  StoredChunk,
  StoredDocument,
  UploadedDocument,
} from "./contract-stored.ts";

/** Of one page or call. */
export const MAX_ATTACHMENTS = 200;
/** What an upload becomes. */
export const UPLOADED_AS = ["document", "attachment"] as const;
/** The most chunks that a preview returns. */
export const MAX_PREVIEWED_CHUNKS = 100;

const FileName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((name) => !/[/\\\p{C}]/u.test(name), "no slashes and no control characters");
const access = ["jwt", "key"] as const;

const byId = z.object({ id: z.uuid() });
const base = "/api/v1/documents";
const onePage = byId.extend({ page: z.coerce.number().int().min(1).max(MAX_PAGE) });
const PAGES_HINT =
  "An isolated process reads the file. At most 120 pages a minute; a file under a password has none.";
const PAGES_FAILURES = {
  415: "`pages_not_shown`: the file is no PDF.",
  422: "The file, or this page of it, cannot be read; the code says why.",
};

export const documentsContract = {
  personalData: PERSONAL_DATA.documents,
  ...foldersContract,
  ...processingContract,
  ...textsContract,
  ...openAiFilesContract,
  ...vectorStoresContract,
  upload: route({
    method: "post",
    path: base,
    changes: "document",
    access,
    permission: "document:create",
    raw: true,
    upload: {
      as: ["multipart"],
      fields: z.object({
        folderId: z.uuid().optional(),
        password: FilePassword.optional(),
        as: z
          .enum(UPLOADED_AS)
          .optional()
          .describe(
            "`attachment`: for a message, not for your documents. It is listed and searched only " +
              "in the conversation that it is sent to, and deleted with it, or after " +
              `${UNSENT_ATTACHMENT_DAYS} days without a message. Pictures that models see are not read`,
          ),
      }),
    },
    summary:
      "Upload a file (multipart/form-data: `folderId`, `password` and `as`, then `file`)",
    description:
      "An owner stores the same bytes once. A second upload into the same folder, or without a " +
      "folder, returns the first document, with status 200 and `deduplicated: true`. In another " +
      "folder it makes a document of its own that shares the stored file.",
    status: 201,
    also: { 200: "The owner has stored these bytes already." },
    ok: UploadedDocument,
  }),
  uploadFor: route({
    method: "post",
    path: `${base}/on-behalf`,
    access: "service-secret",
    changes: "none",
    raw: true,
    upload: { as: ["bytes"] },
    summary:
      "Upload a file (its bytes are the body) on behalf of a user; for peer services",
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
      "List your documents and those shared with you, or those of a folder (`folderId`)",
    query: pageQuery.extend({
      folderId: z.uuid().optional(),
      scope: z
        .enum(["own", "all", "attachments"])
        .default("all")
        .describe(
          "`own`: only yours. `attachments`: files that you gave to conversations, which are not " +
            "among your documents",
        ),
      status: DocumentStatus.optional(),
      skipped: flagText()
        .optional()
        .describe(
          "Whether they failed and are left so, by `skip`: with `status=FAILED`, `false` finds those " +
            "that `retry-failed` takes",
        ),
      query: z.string().max(200).optional().describe("Part of the name"),
      sort: DocumentSort.default("updatedAt").describe(
        "`status` sorts by the steps of processing; failed ones are the last",
      ),
      order: z
        .enum(["asc", "desc"])
        .optional()
        .describe("Default: `desc` by `updatedAt` and `size`, else `asc`"),
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
    changes: "none",
    summary: "Find out which of these documents a user may see; for other services",
    body: z.object({
      userId: z.string().min(1).max(200),
      ids: z.array(z.uuid()).min(1).max(500),
    }),
    ok: z.array(StoredDocument),
  }),
  listUnsent: route({
    method: "get",
    path: `${base}/attachments`,
    access: "service-secret",
    summary:
      "List attachments that are old enough to be deleted if no message has them; for core",
    query: z.object({ after: z.uuid().optional().describe("The last id before the page") }),
    ok: z.object({ ids: z.array(z.uuid()).max(MAX_ATTACHMENTS) }),
  }),
  deleteAttachments: route({
    method: "post",
    path: `${base}/attachments/delete`,
    access: "service-secret",
    changes: "none",
    summary: "Delete those of these documents that are attachments; for core",
    body: z.object({ ids: z.array(z.uuid()).min(1).max(MAX_ATTACHMENTS) }),
  }),
  findTables: route({
    method: "post",
    path: `${base}/tables`,
    access: "service-secret",
    changes: "none",
    summary:
      "Find the documents of a user that are tables, the last changed first; for other services",
    body: z.object({
      userId: z.string().min(1).max(200),
      ids: z
        .array(z.uuid())
        .max(MAX_NAMED_DOCUMENTS)
        .optional()
        .describe("Only these; default: all that the user may see"),
      alsoIds: AlsoIds,
    }),
    ok: z.object({
      documents: z.array(StoredDocument).describe(`At most ${MAX_TABLE_DOCUMENTS}`),
      more: z.boolean().describe("Whether there are others"),
    }),
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
    produces: ["application/octet-stream", "*/*"],
    access: ["jwt", "key", "service-secret"],
    permission: "document:read",
    summary: "Download the file as it was uploaded, or a range of its bytes",
    description:
      "`inline` lets a browser show pictures (PNG, JPEG, GIF, WebP, BMP) and PDF; files of other " +
      "types are downloads all the same.",
    params: byId,
    query: z.object({ inline: flagText().optional() }),
    headers: RANGE_HEADERS,
    also: { 206: "The range of bytes in `Content-Range`." },
    failures: { 416: "The range begins after the end of the file." },
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
  originalPage: route({
    method: "get",
    path: `${base}/:id/pages/:page`,
    access,
    permission: "document:read",
    summary: "Get the size of a page of a PDF file, and where its words stand on it",
    description: PAGES_HINT,
    failures: PAGES_FAILURES,
    params: onePage,
    ok: OriginalPage,
  }),
  pagePicture: route({
    method: "get",
    path: `${base}/:id/pages/:page/picture`,
    produces: ["image/png"],
    access,
    permission: "document:read",
    summary: "Get a page of a PDF file as a picture",
    description: PAGES_HINT,
    failures: PAGES_FAILURES,
    params: onePage,
    also: { 304: "The picture with the tag in `If-None-Match` is still the same." },
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
    changes: "none",
    access,
    permission: "document:read",
    summary:
      "Preview the chunks of a document with other settings, without changing its index",
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
    endsAtShutdown: true,
    events: DocumentEvent,
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
    changes: "document/:id",
    access,
    permission: "document:update",
    summary: "Rename a document, move it, or make an attachment a document",
    params: byId,
    body: z
      .object({
        fileName: FileName,
        folderId: z.uuid().nullable(),
        isAttachment: z
          .literal(false)
          .describe("Makes an attachment a document; so does a move into a folder"),
      })
      .partial(),
    ok: StoredDocument,
  }),
  remove: route({
    method: "delete",
    path: `${base}/:id`,
    changes: "document/:id",
    access,
    permission: "document:delete",
    summary: "Delete a document and its bytes",
    params: byId,
  }),
};
