import { z } from "zod";
import { int4, limitKeys } from "../../../platform/http/bounds.ts";
import { route } from "../../../platform/http/route.ts";
import { Attributes } from "../contract-attributes.ts";
import { ofOpenAi } from "./contract-files.ts";
import {
  BatchIdInPath,
  cursorPageOf,
  cursorQuery,
  FileId,
  FileIdInPath,
  StoreId,
  StoreIdInPath,
} from "./contract-ids.ts";

/** OpenAI's API of vector stores (OpenAI API reference, vector stores), over folders. */

/** The most files that one request may attach. */
const MAX_ATTACHED = 500;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

const Counts = z.object({
  in_progress: int4(),
  completed: int4(),
  failed: int4(),
  cancelled: int4(),
  total: int4(),
});
export type Counts = z.output<typeof Counts>;
const FileStatus = z.enum(["in_progress", "completed", "failed", "cancelled"]);
export type FileStatus = z.output<typeof FileStatus>;

export const VectorStore = z.object({
  id: z.string(),
  object: z.literal("vector_store"),
  created_at: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(["in_progress", "completed"]),
  usage_bytes: z.number().int(),
  file_counts: Counts,
  last_active_at: z.number().int(),
  metadata: z.record(z.string(), z.string()),
  expires_after: z.null(),
  expires_at: z.null(),
});
export type VectorStore = z.output<typeof VectorStore>;

export const StoreFile = z.object({
  id: z.string(),
  object: z.literal("vector_store.file"),
  created_at: z.number().int(),
  vector_store_id: z.string(),
  status: FileStatus,
  last_error: z
    .object({
      code: z.enum(["server_error", "unsupported_file", "invalid_file"]),
      message: z.string(),
    })
    .nullable(),
  usage_bytes: z.number().int().describe("The size of the file"),
  attributes: Attributes,
  chunking_strategy: z
    .object({ type: z.literal("other") })
    .describe("Files are cut as the folder's settings say"),
});
export type StoreFile = z.output<typeof StoreFile>;

const FileBatch = z.object({
  id: z.string(),
  object: z.literal("vector_store.files_batch"),
  created_at: z.number().int(),
  vector_store_id: z.string(),
  status: z.enum(["in_progress", "completed", "cancelled"]),
  file_counts: Counts,
});
export type FileBatch = z.output<typeof FileBatch>;

/** What is not done here is refused, so that nobody relies on it. */
const noExpiry = z
  .null("vector stores do not expire: delete them when they are done with")
  .optional();
const ChunkingStrategy = z
  .object({
    type: z.literal(
      "auto",
      "files are cut as their folder says: PATCH /api/v1/documents/folders/:id",
    ),
  })
  .nullish();
const Name = z.string().trim().max(200).nullish();
const Metadata = limitKeys(z.record(z.string().max(64), z.string().max(512)), 16).nullish();
const AttributesGiven = Attributes.nullish();
const attached = {
  attributes: AttributesGiven,
  chunking_strategy: ChunkingStrategy,
} as const;

const ofStore = {
  ...ofOpenAi,
  params: z.object({ vector_store_id: StoreIdInPath }),
} as const;
const ofFile = {
  ...ofOpenAi,
  params: z.object({ vector_store_id: StoreIdInPath, file_id: FileIdInPath }),
} as const;
const ofBatch = {
  ...ofOpenAi,
  params: z.object({ vector_store_id: StoreIdInPath, batch_id: BatchIdInPath }),
} as const;
const base = "/v1/vector_stores";
const filesQuery = cursorQuery(MAX_LIMIT, DEFAULT_LIMIT).extend({
  after: FileId.optional(),
  before: FileId.optional(),
  filter: FileStatus.optional(),
});

export const vectorStoresContract = {
  createStore: route({
    ...ofOpenAi,
    method: "post",
    path: base,
    changes: "document",
    permission: "document:create",
    summary: "Create a vector store: a folder of documents",
    body: z
      .object({
        name: Name,
        description: z.string().max(2_000).nullish(),
        file_ids: z.array(FileId).max(MAX_ATTACHED).nullish(),
        metadata: Metadata,
        chunking_strategy: ChunkingStrategy,
        expires_after: noExpiry,
      })
      .default({}),
    ok: VectorStore,
  }),
  listStores: route({
    ...ofOpenAi,
    method: "get",
    path: base,
    permission: "document:read",
    summary: "List your vector stores, which are your folders",
    query: cursorQuery(MAX_LIMIT, DEFAULT_LIMIT).extend({
      after: StoreId.optional(),
      before: StoreId.optional(),
    }),
    ok: cursorPageOf(VectorStore),
  }),
  readStore: route({
    ...ofStore,
    method: "get",
    path: `${base}/:vector_store_id`,
    permission: "document:read",
    summary: "Read a vector store: a folder that you may see",
    ok: VectorStore,
  }),
  changeStore: route({
    ...ofStore,
    method: "post",
    path: `${base}/:vector_store_id`,
    changes: "document",
    permission: "document:update",
    summary: "Change the name or the metadata of a vector store",
    body: z.object({ name: Name, metadata: Metadata, expires_after: noExpiry }).default({}),
    ok: VectorStore,
  }),
  deleteStore: route({
    ...ofStore,
    method: "delete",
    path: `${base}/:vector_store_id`,
    changes: "document",
    permission: "document:delete",
    summary: "Delete a vector store; its files stay, in no folder",
    failures: { 409: "It has folders within it." },
    ok: z.object({
      id: z.string(),
      object: z.literal("vector_store.deleted"),
      deleted: z.literal(true),
    }),
  }),
  attachFile: route({
    ...ofStore,
    method: "post",
    path: `${base}/:vector_store_id/files`,
    changes: "document",
    permission: "document:update",
    summary: "Attach a file to a vector store",
    description:
      "A document of your own that is in no folder moves into this one; another stays where it is, " +
      "and each reader of the store finds it who may see it there.",
    body: z.object({ file_id: FileId, ...attached }),
    ok: StoreFile,
  }),
  listStoreFiles: route({
    ...ofStore,
    method: "get",
    path: `${base}/:vector_store_id/files`,
    permission: "document:read",
    summary: "List the files of a vector store",
    query: filesQuery,
    ok: cursorPageOf(StoreFile),
  }),
  readStoreFile: route({
    ...ofFile,
    method: "get",
    path: `${base}/:vector_store_id/files/:file_id`,
    permission: "document:read",
    summary: "Read a file of a vector store: its status and attributes",
    ok: StoreFile,
  }),
  changeStoreFile: route({
    ...ofFile,
    method: "post",
    path: `${base}/:vector_store_id/files/:file_id`,
    changes: "none",
    permission: "document:update",
    summary: "Replace the attributes of a file of a vector store",
    body: z.object({ attributes: Attributes.nullable() }),
    ok: StoreFile,
  }),
  detachFile: route({
    ...ofFile,
    method: "delete",
    path: `${base}/:vector_store_id/files/:file_id`,
    changes: "document",
    permission: "document:update",
    summary: "Take a file out of a vector store; the file itself stays",
    ok: z.object({
      id: z.string(),
      object: z.literal("vector_store.file.deleted"),
      deleted: z.literal(true),
    }),
  }),
  createBatch: route({
    ...ofStore,
    method: "post",
    path: `${base}/:vector_store_id/file_batches`,
    changes: "document",
    permission: "document:update",
    summary: "Attach several files to a vector store",
    description: "Give `file_ids`, or `files` with attributes of their own.",
    body: z
      .object({
        file_ids: z.array(FileId).min(1).max(MAX_ATTACHED).nullish(),
        files: z
          .array(z.object({ file_id: FileId, ...attached }))
          .min(1)
          .max(MAX_ATTACHED)
          .nullish(),
        ...attached,
      })
      .refine(
        ({ file_ids, files }) => Boolean(file_ids) !== Boolean(files),
        "give either file_ids or files",
      ),
    example: { file_ids: ["0198c1f2-7a4b-7c3d-8e5f-6a7b8c9d0e1f"] },
    ok: FileBatch,
  }),
  readBatch: route({
    ...ofBatch,
    method: "get",
    path: `${base}/:vector_store_id/file_batches/:batch_id`,
    permission: "document:read",
    summary: "Read how far a batch of files is",
    description: "The newest 100 of a vector store are kept, for 30 days.",
    ok: FileBatch,
  }),
  cancelBatch: route({
    ...ofBatch,
    method: "post",
    path: `${base}/:vector_store_id/file_batches/:batch_id/cancel`,
    changes: "document",
    permission: "document:update",
    summary: "Stop processing those files of a batch that are not done",
    ok: FileBatch,
  }),
  listBatchFiles: route({
    ...ofBatch,
    method: "get",
    path: `${base}/:vector_store_id/file_batches/:batch_id/files`,
    permission: "document:read",
    summary: "List the files of a batch",
    query: filesQuery,
    ok: cursorPageOf(StoreFile),
  }),
};
