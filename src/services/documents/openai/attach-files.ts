import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { type Access, documentNotFound } from "../access.ts";
import { changeDocument } from "../change-document.ts";
import type { Attributes } from "../contract-attributes.ts";
import { findDocuments } from "../store.ts";
import { removeStoreFile, saveStoreFiles } from "./store-files.ts";

interface Deps {
  db: Database;
  access: Access;
}

export interface FileToAttach {
  id: string;
  attributes: Attributes;
}

/**
 * Attaches documents to a store, into whose folder the user may write. Documents of their own
 * that are in no folder move into it; the others stay where they are.
 * @throws NotFound for one that the user may not see, before any is attached; Conflict
 *   `vector_store_full`.
 */
export async function attachFiles(
  deps: Deps,
  user: User,
  folderId: string,
  files: readonly FileToAttach[],
  signal: AbortSignal,
): Promise<void> {
  const { db, access } = deps;
  const asked = new Map(files.map((file) => [file.id, file]));
  const found = await findDocuments(db, [...asked.keys()]);
  const visible = await access.filterVisible(user, "document", found);
  if (visible.length < asked.size) throw documentNotFound();
  const movesHere = new Set(
    visible
      .filter(({ folderId: place, ownerId }) => place === null && ownerId === user.userId)
      .map(({ id }) => id),
  );
  const liesHere = new Set(
    visible.filter((document) => document.folderId === folderId).map(({ id }) => id),
  );
  const noted = [...asked.values()].filter(
    ({ id, attributes }) =>
      !(movesHere.has(id) || liesHere.has(id)) || Object.keys(attributes).length > 0,
  );
  await saveStoreFiles(db, folderId, noted);
  for (const id of movesHere) {
    signal.throwIfAborted();
    await changeDocument(deps, user, id, { folderId });
  }
}

/** Takes a document out of a store; it stays where else it is. */
export async function detachFile(
  deps: Deps,
  user: User,
  folderId: string,
  id: string,
): Promise<void> {
  const [document] = await findDocuments(deps.db, [id]);
  if (document?.folderId === folderId)
    await changeDocument(deps, user, id, { folderId: null });
  await removeStoreFile(deps.db, folderId, id);
}
