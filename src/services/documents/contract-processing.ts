import { z } from "zod";
import { route } from "../../platform/http/route.ts";
import { MAX_PASSWORD_CHARACTERS } from "../parser/contract-jobs.ts";
import { Indexing, StoredDocument } from "./contract-stored.ts";

/** Starting, stopping and repeating the processing of documents. */

/** The `requester` of the jobs that this service sends. */
export const JOB_REQUESTER = "documents";

/** Opens a protected file. It is never stored. */
export const FilePassword = z
  .string()
  .min(1)
  .max(MAX_PASSWORD_CHARACTERS)
  .describe("Opens a protected PDF or Office file; it is never stored");

const access = ["jwt", "key"] as const;
const base = "/api/v1/documents";
const byId = z.object({ id: z.uuid() });

export const processingContract = {
  reprocess: route({
    method: "post",
    path: `${base}/:id/reprocess`,
    changes: "document/:id",
    access,
    permission: "document:update",
    summary:
      "Process a document again: all of it, or the indexing only (`from: embedding`)",
    params: byId,
    body: z
      .object({
        from: z.enum(["parsing", "embedding"]).default("parsing"),
        password: FilePassword.optional(),
      })
      .default({ from: "parsing" }),
    status: 202,
    ok: StoredDocument,
  }),
  takeOver: route({
    method: "post",
    path: `${base}/:id/attempts`,
    access: "service-secret",
    changes: "none",
    summary:
      "Start an attempt to index another text than the file's; for the embedding service",
    description: "Ends an attempt in progress.",
    params: byId,
    status: 201,
    ok: z.object({ attempt: z.uuid() }),
  }),
  saveIndex: route({
    method: "put",
    path: `${base}/:id/index`,
    access: "service-secret",
    changes: "none",
    summary:
      "Complete such an attempt: the document is PROCESSED; for the embedding service",
    description: "Returns 409 when the attempt is over.",
    params: byId,
    body: Indexing.extend({ attempt: z.uuid() }),
  }),
  stop: route({
    method: "post",
    path: `${base}/:id/stop`,
    changes: "document/:id",
    access,
    permission: "document:update",
    summary: "Stop processing a document; 409 when it is not being processed",
    params: byId,
    ok: StoredDocument,
  }),
  skip: route({
    method: "post",
    path: `${base}/:id/skip`,
    changes: "document/:id",
    access,
    permission: "document:update",
    summary: "Exclude a failed document from `retry-failed`; 409 when it has not failed",
    params: byId,
    ok: StoredDocument,
  }),
  retryFailed: route({
    method: "post",
    path: `${base}/retry-failed`,
    changes: "document",
    access,
    permission: "document:update",
    summary:
      "Process your failed documents again, except skipped ones; at most 1,000 per call",
    body: z.object({ folderId: z.uuid().optional() }).default({}),
    status: 202,
    ok: z.object({ retried: z.number().int() }),
  }),
};

/** The queue of files to delete after their documents were deleted. */
export const REMOVALS = "document_removals";
export const Removal = z.object({ keys: z.array(z.string()).max(10) });
