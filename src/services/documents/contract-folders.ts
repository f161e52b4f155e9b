import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { ProcessingSettings } from "./contract-stored.ts";

/** Folders of documents. */

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

/** More documents of a folder are not counted. */
export const MAX_COUNTED = 1_000;

const ListedFolder = Folder.extend({
  documentCount: z
    .number()
    .int()
    .describe(`Documents in it, without those in its folders; ${MAX_COUNTED + 1}: more`),
});
export type ListedFolder = z.output<typeof ListedFolder>;

/** The most folders that one call resolves. */
export const MAX_RESOLVED = 100;
const FolderName = z.string().trim().min(1).max(200);
const access = ["jwt", "key"] as const;
const base = "/api/v1/documents";
const byId = z.object({ id: z.uuid() });

export const foldersContract = {
  listFolders: route({
    method: "get",
    path: `${base}/folders`,
    access,
    permission: "document:read",
    summary: "List your folders, or those in another folder (`parentId`)",
    query: pageQuery.extend({
      parentId: z.uuid().optional(),
      query: z.string().max(200).optional().describe("Part of the name"),
    }),
    ok: pageOf(ListedFolder),
  }),
  createFolder: route({
    method: "post",
    path: `${base}/folders`,
    changes: "document",
    access,
    permission: "document:create",
    summary: "Create a folder",
    body: z.object({
      name: FolderName,
      parentId: z.uuid().nullable().default(null),
      settings: ProcessingSettings.strict().default({}),
    }),
    status: 201,
    ok: Folder,
  }),
  resolveFolders: route({
    method: "post",
    path: `${base}/folders/resolve`,
    access: "service-secret",
    changes: "none",
    summary: "Find out which of these folders a user may see; for other services",
    body: z.object({
      userId: z.string().min(1).max(200),
      ids: z.array(z.uuid()).min(1).max(MAX_RESOLVED),
    }),
    ok: z.array(Folder),
  }),
  getFolder: route({
    method: "get",
    path: `${base}/folders/:id`,
    access,
    permission: "document:read",
    summary: "Read a folder",
    params: byId,
    ok: Folder,
  }),
  changeFolder: route({
    method: "patch",
    path: `${base}/folders/:id`,
    changes: "document/:id",
    access,
    permission: "document:update",
    summary: "Rename a folder, move it, or change how its files are processed",
    params: byId,
    body: z
      .object({
        name: FolderName,
        parentId: z.uuid().nullable(),
        settings: ProcessingSettings.strict(),
      })
      .partial(),
    ok: Folder,
  }),
  deleteFolder: route({
    method: "delete",
    path: `${base}/folders/:id`,
    changes: "document/:id",
    access,
    permission: "document:delete",
    summary: "Delete an empty folder",
    params: byId,
  }),
};
