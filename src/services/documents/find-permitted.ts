import type { Database } from "../../platform/db/database.ts";
import { type Caller, userOf } from "../../platform/http/caller.ts";
import type { AccessRole } from "../users/contract-sharing.ts";
import { type Access, documentNotFound } from "./access.ts";
import type { StoredDocument } from "./contract-stored.ts";
import { findFolder } from "./folders.ts";
import { findDocuments } from "./store.ts";

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
