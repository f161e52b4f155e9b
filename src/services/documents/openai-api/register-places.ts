import type { Database } from "../../../platform/db/database.ts";
import { inGroups } from "../../../platform/in-groups.ts";
import type { Access } from "../access.ts";
import { registerPlace } from "../register-place.ts";
import { findDocuments } from "../store.ts";

/** At a time, so that one store's files leave others their turn at the users service. */
export const AT_ONCE = 20;

/** Registers where documents lie, on which the access of others depends. */
export async function registerPlaces(
  deps: { db: Database; access: Access },
  ids: readonly string[],
): Promise<void> {
  for (const some of inGroups(ids, AT_ONCE))
    await Promise.all(some.map((id) => registerOne(deps, id)));
}

async function registerOne({ db, access }: { db: Database; access: Access }, id: string) {
  const [document] = await findDocuments(db, [id]);
  if (!document) return;
  const find = async () => (await findDocuments(db, [id]))[0] ?? document;
  await registerPlace(access, "document", find, ({ folderId }) => folderId);
}
