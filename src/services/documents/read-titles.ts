import type { Database } from "../../platform/db/database.ts";
import type { User } from "../../platform/http/caller.ts";
import type { Access } from "./access.ts";
import { findFolders } from "./folders.ts";
import { findDocuments } from "./store.ts";

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
