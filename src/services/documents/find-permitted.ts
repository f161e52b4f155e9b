import type { Database } from "../../platform/db/database.ts";
import { type Caller, type User, userOf } from "../../platform/http/caller.ts";
import { MAX_TABLE_DOCUMENTS, TABLE_TYPES, tableKind } from "../parser/tables/contract.ts";
import type { AccessRole } from "../users/contract-sharing.ts";
import { type Access } from "./access.ts";
import { documentNotFound } from "./contract-not-found.ts";
import type { StoredDocument } from "./contract-stored.ts";
import { findFolder, findFolders } from "./folders.ts";
import { findDocuments, listTypes } from "./store.ts";

interface Deps {
  db: Database;
  access: Access;
}

/**
 * Finds a document that the caller may use with the needed role. Services may use every document.
 * @throws as `Access.require`.
 */
export async function requireDocument(
  { db, access }: Deps,
  caller: Caller,
  id: string,
  needed: AccessRole,
): Promise<StoredDocument> {
  const [document] = await findDocuments(db, [id]);
  if (caller.kind === "service") {
    if (!document) throw documentNotFound();
    return document;
  }
  return access.require(userOf(caller), "document", document, needed);
}

/** @throws as `Access.require`. */
export async function requireFolder(
  { db, access }: Deps,
  caller: Caller,
  id: string,
  needed: AccessRole,
) {
  return access.require(userOf(caller), "folder", await findFolder(db, id), needed);
}

interface Named {
  userId: string;
  ids?: string[] | undefined;
  alsoIds?: string[] | undefined;
}

/** The documents that a user may see and that are tables, of all or of some. */
export async function findTables(
  { db, access }: { db: Database; access: Access },
  { userId, ids, alsoIds }: Named,
): Promise<{ documents: StoredDocument[]; more: boolean }> {
  if (ids?.length === 0) return { documents: [], more: false };
  const types = Object.keys(TABLE_TYPES);
  const found = ids
    ? await access.filterVisible(
        { userId },
        "document",
        await listTypes(db, types, { ids }),
      )
    : await listTypes(db, types, {
        visible: {
          ownerId: userId,
          shared: await access.findShared({ userId }),
          attachments: alsoIds,
        },
      });
  const tables = found.filter(
    ({ mimeType, fileName }) => tableKind(mimeType, fileName) !== undefined,
  );
  return {
    documents: tables.slice(0, MAX_TABLE_DOCUMENTS),
    more: tables.length > MAX_TABLE_DOCUMENTS,
  };
}

/** The names of documents and folders that the user may see. */
export async function readTitles(
  { db, access }: { db: Database; access: Access },
  user: Pick<User, "userId">,
  ids: readonly string[],
) {
  const [documents, folders] = await Promise.all([
    findDocuments(db, ids),
    findFolders(db, ids),
  ]);
  const [seenDocuments, seenFolders] = await Promise.all([
    access.filterVisible(user, "document", documents),
    access.filterVisible(user, "folder", folders),
  ]);
  return [
    ...seenDocuments.map(({ id, fileName: title, updatedAt }) => ({
      id,
      type: "document" as const,
      title,
      updatedAt,
    })),
    ...seenFolders.map(({ id, name: title, updatedAt }) => ({
      id,
      type: "folder" as const,
      title,
      updatedAt,
    })),
  ];
}
