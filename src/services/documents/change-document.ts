import type { Database } from "../../platform/db/database.ts";
import type { User } from "../../platform/http/caller.ts";
import type { Access } from "./access.ts";
import type { StoredDocument } from "./contract-stored.ts";
import { removeStoreFile } from "./openai-api/store-files.ts";
import { type ProcessingDeps, processDocument } from "./process-document.ts";
import { findProcessable } from "./processing-store.ts";
import { requireDocument, requireFolder } from "./find-permitted.ts";
import { registerPlace } from "./register-place.ts";
import { updateDocument } from "./store.ts";

interface Deps {
  db: Database;
  access: Access;
}

interface Change {
  fileName?: string | undefined;
  folderId?: string | null | undefined;
  isAttachment?: false | undefined;
}

/**
 * Renames or moves a document, or makes an attachment one: its owner may, and a move into a folder
 * does it as well. A move changes who may see it, which only its owner may do; whoever
 * names the folder that it lies in moves nothing, but repeats a registration that failed. A move is
 * registered before it is stored, because labels may refuse it.
 * @throws as `Access.require`; Conflict `label_shared_outside`.
 */
export async function changeDocument(
  deps: Deps,
  user: User,
  id: string,
  { fileName, folderId, isAttachment }: Change,
): Promise<StoredDocument> {
  const before = await requireDocument(deps, user, id, "editor");
  const isMove = folderId !== undefined && folderId !== before.folderId;
  const isPromoted = before.isAttachment && (Boolean(folderId) || isAttachment === false);
  if (isMove || isPromoted) await requireDocument(deps, user, id, "owner");
  if (folderId) await requireFolder(deps, user, folderId, "editor");
  if (isMove) await deps.access.register("document", id, before.ownerId, folderId);
  const find = () => requireDocument(deps, { kind: "service" }, id, "viewer");
  const register = () =>
    registerPlace(deps.access, "document", find, (document) => document.folderId);
  try {
    if (isMove && before.folderId) await removeStoreFile(deps.db, before.folderId, id);
    const place = isMove ? folderId : undefined;
    const promoted = isPromoted && { isAttachment: false as const };
    await updateDocument(deps.db, id, { fileName, folderId: place, ...promoted });
  } catch (error) {
    if (isMove) await register();
    throw error;
  }
  return folderId === undefined ? find() : register();
}

/** Reads what was a picture for models, now that it is a document. @returns it as it is now. */
export async function readUnread(
  deps: Deps & ProcessingDeps,
  changed: StoredDocument,
): Promise<StoredDocument> {
  const { id, isAttachment, status, indexing } = changed;
  if (isAttachment || status !== "PROCESSED" || indexing) return changed;
  const document = await findProcessable(deps.db, id);
  if (document) await processDocument(deps, document);
  return requireDocument(deps, { kind: "service" }, id, "viewer");
}
