import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { PERSONAL_DATA } from "../users/contract-departure.ts";

/** Source: design "Documents". */

export const DocumentStatus = z.enum(["UPLOADED", "PARSING", "PARSED", "EMBEDDING", "PROCESSED", "FAILED"]);

export const StoredDocument = z.object({
  id: z.uuid(),
  fileName: z.string(),
  mimeType: z.string().describe("By the file's bytes"),
  size: z.number().int(),
  sha256: z.string(),
  folderId: z.uuid().nullable(),
  ownerId: z.string(),
  status: DocumentStatus,
  error: z.object({ stage: z.string(), code: z.string(), message: z.string() }).nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type StoredDocument = z.output<typeof StoredDocument>;

export const Folder = z.object({
  id: z.uuid(),
  name: z.string(),
  parentId: z.uuid().nullable(),
  ownerId: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Folder = z.output<typeof Folder>;

const FileName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((name) => !/[/\\\p{C}]/u.test(name), "no slashes and no control characters");
const FolderName = z.string().trim().min(1).max(200);
const access = ["jwt", "key"] as const;
const scope = "documents";
const byId = z.object({ id: z.uuid() });
const base = "/api/v1/documents";

export const documentsContract = {
  personalData: PERSONAL_DATA.documents,
  upload: route({
    method: "post",
    path: base,
    access,
    scope,
    raw: true,
    summary: "Upload a file (multipart/form-data: `folderId`, then `file`)",
    description: "The same bytes of the same owner are one document: it is answered with 200 and `deduplicated: true`.",
    status: 201,
    ok: StoredDocument.extend({ deduplicated: z.boolean() }),
  }),
  list: route({
    method: "get",
    path: base,
    access,
    scope,
    summary: "Own documents, the last changed first; in a folder that is shared, those that lie in it",
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
    scope,
    summary: "Own folders; with `parentId` those in it",
    query: pageQuery.extend({ parentId: z.uuid().optional() }),
    ok: pageOf(Folder),
  }),
  createFolder: route({
    method: "post",
    path: `${base}/folders`,
    access,
    scope,
    summary: "Create a folder",
    body: z.object({ name: FolderName, parentId: z.uuid().nullable().default(null) }),
    status: 201,
    ok: Folder,
  }),
  changeFolder: route({
    method: "patch",
    path: `${base}/folders/:id`,
    access,
    scope,
    summary: "Rename a folder or move it",
    params: byId,
    body: z.object({ name: FolderName, parentId: z.uuid().nullable() }).partial(),
    ok: Folder,
  }),
  deleteFolder: route({
    method: "delete",
    path: `${base}/folders/:id`,
    access,
    scope,
    summary: "Delete an empty folder",
    params: byId,
  }),
  get: route({ method: "get", path: `${base}/:id`, access, scope, summary: "One document", params: byId, ok: StoredDocument }),
  content: route({
    method: "get",
    path: `${base}/:id/content`,
    access: ["jwt", "key", "service-secret"],
    scope,
    summary: "The file as it was uploaded",
    params: byId,
  }),
  change: route({
    method: "patch",
    path: `${base}/:id`,
    access,
    scope,
    summary: "Rename a document or move it",
    params: byId,
    body: z.object({ fileName: FileName, folderId: z.uuid().nullable() }).partial(),
    ok: StoredDocument,
  }),
  remove: route({
    method: "delete",
    path: `${base}/:id`,
    access,
    scope,
    summary: "Delete a document and its bytes",
    params: byId,
  }),
};
