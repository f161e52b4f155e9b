import { isAdmin, type User } from "./caller.ts";
import type { AnyRoute } from "./route.ts";

/** `resource:verb`, as the list of permissions names it. */
export type Permission = `${string}:${string}`;

/** The fields that conditions of a role are about. */
export type Fields = object;

/** What the roles of a user permit. */
export interface Guard {
  /** @throws Forbidden `permission_missing` when the user's roles do not permit it. */
  check(permission: Permission, user: User, fields?: Fields): Promise<void>;
  /** Whether the user's roles, and the scopes of the API key in use, permit it. */
  allows(permission: Permission, user: User, fields?: Fields): Promise<boolean>;
  /** All that roles and scopes permit, some of it under conditions. */
  listFor(user: User): Promise<string[]>;
}

/** Records what an administrator did where only administrators may. */
export type Auditor = (
  route: AnyRoute,
  administrator: User,
  params: Record<string, string>,
) => Promise<void>;

/** For services that run without a users service: no roles but `admin`. */
export const GUARD_WITHOUT_ROLES: Guard = {
  check: async () => {},
  allows: async (permission, user) =>
    scopesCover(user, permission) && (!isAdministrative(permission) || isAdmin(user)),
  listFor: async () => [],
};

/** Administrative permissions are granted by name, never by a wildcard. */
export function isAdministrative(permission: string): boolean {
  return permission.endsWith(":administer");
}

/**
 * Whether the scopes of the API key in use, if one is, cover a permission. A key without scopes
 * covers all but what is administrative; so does `resource:*` for a resource.
 */
export function scopesCover({ via, scopes }: User, permission: string): boolean {
  if (via !== "key") return true;
  if (scopes?.includes(permission)) return true;
  if (isAdministrative(permission)) return false;
  return scopes === undefined || scopes.includes(`${permission.split(":")[0]}:*`);
}
