import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { NamedResource, Resource } from "../contract-sharing.ts";

/**
 * Returns the resources with their own type in place of `source`. An unknown one counts as a
 * document, to which nobody has access.
 */
export async function nameSources(
  db: Database,
  resources: readonly NamedResource[],
): Promise<Resource[]> {
  const ids = resources
    .filter(({ resourceType }) => resourceType === "source")
    .map(({ resourceId }) => resourceId);
  const folders = ids.length > 0 ? await findFolders(db, ids) : new Set();
  return resources.map(({ resourceType, resourceId }) => {
    if (resourceType !== "source") return { resourceType, resourceId };
    return { resourceType: folders.has(resourceId) ? "folder" : "document", resourceId };
  });
}

export async function nameSource(db: Database, resource: NamedResource): Promise<Resource> {
  const [named] = await nameSources(db, [resource]);
  if (!named) throw new Error("each resource has a name");
  return named;
}

async function findFolders(db: Database, ids: string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    sql`select resource_id as id from users.features
      where type = 'folder' and resource_id = any(${ids})`,
  );
  return new Set(rows.map(({ id }) => id));
}
