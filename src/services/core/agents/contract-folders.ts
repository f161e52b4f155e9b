import { z } from "zod";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";

/** Folders of agents. */

export const Folder = z.object({
  id: z.uuid(),
  name: z.string(),
  parentId: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Folder = z.output<typeof Folder>;
const NewFolder = z.object({
  name: z.string().trim().min(1).max(200),
  parentId: z.uuid().nullable().default(null),
});

const base = "/api/v1/agent";
const byId = z.object({ id: z.uuid() });

export const foldersContract = {
  listFolders: route({
    method: "get",
    path: `${base}/folders`,
    access: "jwt",
    permission: "agent:read",
    summary: "List the caller's folders",
    query: pageQuery,
    ok: pageOf(Folder),
  }),
  createFolder: route({
    method: "post",
    path: `${base}/folders`,
    access: "jwt",
    permission: "agent:create",
    changes: "agent",
    summary: "Create a folder",
    body: NewFolder,
    status: 201,
    ok: Folder,
  }),
  changeFolder: route({
    method: "patch",
    path: `${base}/folders/:id`,
    access: "jwt",
    permission: "agent:update",
    changes: "agent/:id",
    summary: "Rename a folder or move it",
    params: byId,
    body: z.object({ name: NewFolder.shape.name, parentId: z.uuid().nullable() }).partial(),
    ok: Folder,
  }),
  deleteFolder: route({
    method: "delete",
    path: `${base}/folders/:id`,
    access: "jwt",
    permission: "agent:delete",
    changes: "agent/:id",
    summary: "Delete a folder; its contents move up",
    params: byId,
  }),
};
