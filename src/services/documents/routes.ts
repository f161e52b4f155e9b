import type { Caller } from "../../platform/http/caller.ts";
import { userOf } from "../../platform/http/caller.ts";
import { offsetOf } from "../../platform/http/page.ts";
import { readUpload } from "../../platform/http/read-upload.ts";
import { json } from "../../platform/http/respond.ts";
import { Routes } from "../../platform/http/routes.ts";
import { attachment } from "../../platform/http/attachment.ts";
import type { AccessRole } from "../users/contract-sharing.ts";
import { documentNotFound, folderNotFound } from "./access.ts";
import { documentsContract as contract, type StoredDocument } from "./contract.ts";
import { personalData } from "./departure.ts";
import { changeFolder, createFolder, deleteFolder, findFolder, listFolders } from "./folders.ts";
import { findDocuments, listDocuments, removeDocuments, storageKeyOf, updateDocument } from "./store.ts";
import { type UploadDeps, uploadDocument } from "./upload-document.ts";

export function documentRoutes(deps: UploadDeps): Routes {
  const { db, files, access } = deps;
  /** @throws NotFound for what the caller may not do as much with. */
  const documentFor = async (caller: Caller, id: string, needed: AccessRole): Promise<StoredDocument> => {
    const [document] = await findDocuments(db, [id]);
    const allowed = document && (caller.kind === "service" || (await access.may(userOf(caller), "document", document, needed)));
    if (!document || !allowed) throw documentNotFound();
    return document;
  };
  const folderFor = async (caller: Caller, id: string, needed: AccessRole) => {
    const folder = await findFolder(db, id);
    if (!folder || !(await access.may(userOf(caller), "folder", folder, needed))) throw folderNotFound();
    return folder;
  };

  return new Routes()
    .on(contract.upload, async ({ caller, request, signal }) => {
      const user = userOf(caller);
      const { stored } = await readUpload(request, (file, fields) => uploadDocument(deps, user, file, fields, signal));
      return json(stored, stored.deduplicated ? 200 : 201);
    })
    .on(contract.list, async ({ caller, query: { page, limit, folderId, ...filter } }) => {
      if (folderId !== undefined) await folderFor(caller, folderId, "viewer");
      // what lies in a folder that one may see, one may see; elsewhere one's own
      const whose = folderId === undefined ? { ownerId: userOf(caller).userId } : {};
      return { ...(await listDocuments(db, { ...filter, ...whose, folderId }, limit, offsetOf({ page, limit }))), page, limit };
    })
    .on(contract.resolve, async ({ body }) => access.visible(body, "document", await findDocuments(db, body.ids)))
    .on(contract.listFolders, async ({ caller, query: { page, limit, parentId } }) => {
      if (parentId !== undefined) await folderFor(caller, parentId, "viewer");
      const whose = parentId === undefined ? { ownerId: userOf(caller).userId } : {};
      return { ...(await listFolders(db, { ...whose, parentId }, limit, offsetOf({ page, limit }))), page, limit };
    })
    .on(contract.createFolder, ({ caller, body }) => createFolder(deps, userOf(caller), body))
    .on(contract.changeFolder, ({ caller, params, body }) => changeFolder(deps, userOf(caller), params.id, body))
    .on(contract.deleteFolder, ({ caller, params }) => deleteFolder(deps, userOf(caller), params.id))
    .on(contract.get, ({ caller, params }) => documentFor(caller, params.id, "viewer"))
    .on(contract.content, async ({ caller, params }) => {
      const { fileName, mimeType } = await documentFor(caller, params.id, "viewer");
      const key = await storageKeyOf(db, params.id);
      if (key === undefined) throw documentNotFound();
      return attachment(await files.read(key), { fileName, mime: mimeType });
    })
    .on(contract.change, async ({ caller, params, body }) => {
      const before = await documentFor(caller, params.id, "editor");
      if (body.folderId) await folderFor(caller, body.folderId, "editor");
      await updateDocument(db, params.id, body);
      const document = await documentFor(caller, params.id, "viewer");
      if (document.folderId !== before.folderId)
        await access.register("document", document.id, document.ownerId, document.folderId);
      return document;
    })
    .on(contract.remove, async ({ caller, params }) => {
      await documentFor(caller, params.id, "owner");
      for (const { id, storageKey } of await removeDocuments(db, { id: params.id })) {
        await files.delete(storageKey);
        await access.forget("document", id);
      }
    })
    .on(contract.personalData, ({ params, query }) => personalData(db, params.userId, query.after));
}
