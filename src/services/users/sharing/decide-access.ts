import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { AccessRole, type Resource } from "../contract-sharing.ts";

/**
 * What a user may do with each resource: the strongest of what `users.grants` (users/schema.sql)
 * grants on the resource itself or on a folder above it. Never cached, so a revocation is effective
 * at the next call. One resource and many have a statement each, because each is slow at the
 * other's task. What is granted is in `users.grants` alone; both add the folders and the tenant.
 * @returns roles in the order of `resources`; null for no access and for unregistered resources.
 */
export async function decideAccess(
  db: Database,
  userId: string,
  resources: readonly Resource[],
): Promise<(AccessRole | null)[]> {
  const [first] = resources;
  return resources.length === 1 && first
    ? [await decideOne(db, userId, first)]
    : decideMany(db, userId, resources);
}

async function decideOne(
  db: Database,
  userId: string,
  { resourceType, resourceId }: Resource,
): Promise<AccessRole | null> {
  const [row] = await db.query<{ rank: number | null }>(
    sql`select max(rank) as rank
      from users.grants_on(${userId}, ${resourceType}, ${resourceId})`,
    { name: "decide-access" },
  );
  return row?.rank ? roleOf(row.rank) : null;
}

async function decideMany(
  db: Database,
  userId: string,
  resources: readonly Resource[],
): Promise<(AccessRole | null)[]> {
  const types = resources.map(({ resourceType }) => resourceType);
  const ids = resources.map(({ resourceId }) => resourceId);
  const [row] = await db.query<{ decided: string | null }>(
    sql`select users.decide_access_of_many(${userId}, ${types}::text[], ${ids}::text[])
      as decided`,
    { name: "decide-access-of-many" },
  );
  const roles = resources.map((): AccessRole | null => null);
  for (const one of row?.decided?.split(",") ?? []) {
    const [place, rank] = one.split(":");
    roles[Number(place) - 1] = roleOf(Number(rank));
  }
  return roles;
}

/** The role of a rank, which `users.grants` counts from 1, the weakest. */
export function roleOf(rank: number): AccessRole {
  const role = AccessRole.options[rank - 1];
  if (!role) throw new Error(`There is no role of the rank ${rank}.`);
  return role;
}
