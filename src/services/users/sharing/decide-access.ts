import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { AccessRole, type Resource } from "../contract-sharing.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A user's id as identity knows it; null for one of another issuer. */
export function uuidOrNull(userId: string): string | null {
  return UUID.test(userId) ? userId : null;
}

/** Weakest 1, as `array_position` counts. */
export const RANKS = sql`'{viewer,commenter,editor,owner}'::text[]`;

/** The user and every group that he is in, nested ones too, as shares name them. */
export function subjectsOf(userId: string): Sql {
  return sql`users.subjects_of(${userId}, ${uuidOrNull(userId)}::uuid)`;
}

/**
 * What a user may do with each resource: the strongest of ownership, shares with him or his groups, and links, on the resource itself or
 * on a folder above it. The only place where access is decided, in one statement (`users.decide_access`, last in 0025_decide_access_by_key.sql),
 * without a cache: a revocation holds at the next call.
 * @returns roles in the order of `resources`; null for no access and for what is not registered.
 * Source: requirements 3, "Check-access body"; design "A document inherits its folder's shares".
 */
export async function decideAccess(db: Database, userId: string, resources: readonly Resource[]): Promise<(AccessRole | null)[]> {
  const types = resources.map(({ resourceType }) => resourceType);
  const ids = resources.map(({ resourceId }) => resourceId);
  const rows = await db.query<{ role: AccessRole | null }>(
    sql`select role from users.decide_access(${userId}, ${uuidOrNull(userId)}::uuid, ${types}::text[], ${ids}::text[])`,
  );
  return rows.map(({ role }) => role);
}

/** Whether a role is enough for what asks for at least another. */
export function isAtLeast(role: AccessRole | null, least: AccessRole): boolean {
  return role !== null && AccessRole.options.indexOf(role) >= AccessRole.options.indexOf(least);
}
