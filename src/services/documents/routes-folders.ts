import { userOf } from "../../platform/http/caller.ts";
import { offsetOf } from "../../platform/http/page.ts";
import type { Routes } from "../../platform/http/routes.ts";
import { documentsContract as contract } from "./contract.ts";
import { requireFolder } from "./find-permitted.ts";
import { changeFolder, createFolder, deleteFolder, listFolders } from "./folders.ts";
import type { UploadDeps } from "./upload-document.ts";

/** Folders of documents. */
export function folderRoutes(routes: Routes, deps: UploadDeps): Routes {
  return routes
    .on(contract.listFolders, async ({ caller, query: { page, limit, ...filter } }) => {
      const { parentId } = filter;
      if (parentId !== undefined) await requireFolder(deps, caller, parentId, "viewer");
      const owner = parentId === undefined ? { ownerId: userOf(caller).userId } : {};
      const offset = offsetOf({ page, limit });
      const found = await listFolders(deps.db, { ...owner, ...filter }, limit, offset);
      return { ...found, page, limit };
    })
    .on(contract.createFolder, ({ caller, body }) =>
      createFolder(deps, userOf(caller), body),
    )
    .on(contract.getFolder, ({ caller, params }) =>
      requireFolder(deps, caller, params.id, "viewer"),
    )
    .on(contract.changeFolder, ({ caller, params, body }) =>
      changeFolder(deps, userOf(caller), params.id, body),
    )
    .on(contract.deleteFolder, ({ caller, params }) =>
      deleteFolder(deps, userOf(caller), params.id),
    );
}
