import type { Database } from "../../platform/db/database.ts";
import { MAX_TABLE_DOCUMENTS, TABLE_TYPES, tableKind } from "../parser/tables/contract.ts";
import type { Access } from "./access.ts";
import type { StoredDocument } from "./contract-stored.ts";
import { listTypes } from "./store.ts";

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
