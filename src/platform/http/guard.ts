import { type Caller, isAdmin, isOperator, type User } from "./caller.ts";
import { Forbidden } from "./errors.ts";
import type { AnyRoute } from "./route.ts";

/** `resource:verb`, as in the list of permissions. */
export type Permission = `${string}:${string}`;

/** The fields that a role's conditions check. */
export type Fields = object;

/** Decides what the roles of a user permit. */
export interface Guard {
  /** @throws Forbidden `permission_missing` when the user's roles do not permit it. */
  check(permission: Permission, user: User, fields?: Fields): Promise<void>;
  /** Whether the user's roles, and the scopes of the API key in use, permit it. */
  allows(permission: Permission, user: User, fields?: Fields): Promise<boolean>;
  /** All permissions that roles and scopes grant, including conditional ones. */
  listFor(user: User): Promise<string[]>;
}

/** Records the use of a route that only administrators may call. */
export type Auditor = (
  route: AnyRoute,
  administrator: User,
  change: AuditedChange,
) => Promise<void>;

/** What an administrator asked for, and what the route answered. */
export interface AuditedChange {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  /** Undefined for a route that answers with a response of its own. */
  answer: unknown;
}

/** For servers without a users service: there is no role but `admin`. */
export const GUARD_WITHOUT_ROLES: Guard = {
  check: async () => {},
  allows: async (permission, user) =>
    scopesCover(user, permission) && (!isAdministrative(permission) || isAdmin(user)),
  listFor: async () => [],
};

/** Whether the caller administers their tenant; with an API key, when its scopes say so. */
export function administers(caller: Caller, permission: Permission): boolean {
  return caller.kind === "user" && isAdmin(caller) && scopesCover(caller, permission);
}

/** The same for what all tenants share. */
export function operates(caller: Caller, permission: Permission): boolean {
  return caller.kind === "user" && isOperator(caller) && scopesCover(caller, permission);
}

/** Administrative permissions are granted by name, never by a wildcard. */
function isAdministrative(permission: string): boolean {
  return permission.endsWith(":administer");
}

/**
 * Whether the scopes of the API key or grant in use, if any, cover a permission. A key without
 * scopes covers all permissions but administrative ones; `resource:*` covers all of a resource but
 * those.
 */
export function scopesCover({ via, scopes }: User, permission: string): boolean {
  if (via !== "key" && via !== "mcp") return true;
  if (scopes?.includes(permission)) return true;
  if (isAdministrative(permission)) return false;
  return scopes === undefined || scopes.includes(`${permission.split(":")[0]}:*`);
}

/** Says that the credential, not its user, lacks a right: `scope_missing` or `grant_missing`. */
export function beyondScopes({ via }: Pick<User, "via">, permission: string): Forbidden {
  if (via !== "mcp")
    return new Forbidden(
      "scope_missing",
      `This API key lacks the scope "${permission}". Use a key that has it.`,
      { params: { permission } },
    );
  const refusal = new Forbidden(
    "grant_missing",
    `You did not grant "${permission}" to this client of MCP. Connect it again, and allow that.`,
    { params: { permission } },
  );
  // RFC 6750, section 3.1: the client may ask its user for more
  refusal.headers["www-authenticate"] =
    `Bearer error="insufficient_scope", scope="${permission}"`;
  return refusal;
}
