import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { type Access, documentNotFound } from "../access.ts";
import { changeDocument } from "../change-document.ts";
import type { Attributes } from "../contract-attributes.ts";
import { findDocuments } from "../store.ts";
import { registerPlaces } from "./register-places.ts";
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
 * that are in no folder move into it; the others stay where they are. All are attached or none.
 * @throws NotFound for one that the user may not see; Conflict `vector_store_full`.
 */
export async function attachFiles(
  deps: Deps,
  user: User,
  folderId: string,
  files: readonly FileToAttach[],
): Promise<void> {
  const { db, access } = deps;
  const asked = new Map(files.map((file) => [file.id, file]));
  const found = await findDocuments(db, [...asked.keys()]);
  const visible = await access.filterVisible(user, "document", found);
  if (visible.length < asked.size) throw documentNotFound();
  const lyingHere = await db.tx(async () => {
    const here = await moveIntoFolder(db, user.userId, folderId, [...asked.keys()]);
    const noted = [...asked.values()].filter(
      ({ id, attributes }) => !here.has(id) || Object.keys(attributes).length > 0,
    );
    await saveStoreFiles(db, folderId, noted);
    return here;
  });
  // also for a caller who has left: access follows the place
  await registerPlaces(deps, [...lyingHere]);
}

/**
 * Moves those that are the owner's and in no folder, in one statement: of two stores that ask for
 * a document at once, one gets it.
 * @returns those that lie in the folder now.
 */
async function moveIntoFolder(
  db: Database,
  ownerId: string,
  folderId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  await db.query(sql`update documents.documents set folder_id = ${folderId}, updated_at = now()
    where id = any(${[...ids]}::uuid[]) and folder_id is null and owner_id = ${ownerId}`);
  const here = await db.query<{ id: string }>(sql`select id from documents.documents
    where id = any(${[...ids]}::uuid[]) and folder_id = ${folderId}`);
  return new Set(here.map(({ id }) => id));
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
