import type { ChangedType } from "../../platform/changes/contract-changes.ts";
import { isAdmin, isOperator, type User } from "../../platform/http/caller.ts";
import type { Guard, Permission } from "../../platform/http/guard.ts";

/** Who may read a kind of resource: the same as at the route that reads it. */
export interface Audience {
  access: "everybody" | "admin" | "operator";
  /** Absent: whoever is signed in. */
  permission?: Permission;
}

/** The kinds that are not owned by one user, and whom their changes are announced to. */
export const AUDIENCES: Partial<Record<ChangedType, Audience>> = {
  user: { access: "admin", permission: "user:administer" },
  group: { access: "admin", permission: "group:administer" },
  role: { access: "admin", permission: "role:administer" },
  label: { access: "everybody", permission: "share:read" },
  lock: { access: "admin", permission: "lock:administer" },
  provider: { access: "everybody", permission: "model:read" },
  model: { access: "everybody", permission: "model:read" },
  flow: { access: "everybody", permission: "flow:read" },
  "embedding-model": { access: "everybody", permission: "document:process" },
  "tool-server": { access: "operator", permission: "tool:administer" },
  "search-engine": { access: "operator", permission: "tool:administer" },
  budget: { access: "operator", permission: "budget:administer" },
  queue: { access: "operator", permission: "queue:administer" },
  app: { access: "everybody" },
};

/** Whether a user may read resources of this kind, and may know that one has changed. */
export async function isInAudience(
  guard: Guard,
  user: User,
  type: ChangedType,
): Promise<boolean> {
  const audience = AUDIENCES[type];
  if (!audience) return false;
  const { access, permission } = audience;
  if (access === "admin" && !isAdmin(user)) return false;
  if (access === "operator" && !isOperator(user)) return false;
  return permission === undefined || guard.allows(permission, user);
}

/** The kinds that do not belong to one user, and that this user may read. */
export async function audienceOf(guard: Guard, user: User): Promise<ChangedType[]> {
  const types = Object.keys(AUDIENCES) as ChangedType[]; // its keys are kinds
  const isIn = await Promise.all(types.map((type) => isInAudience(guard, user, type)));
  return types.filter((_, index) => isIn[index]);
}
