import { z } from "zod";
import { limitKeys } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { PERMISSIONS, RESOURCES, VERBS } from "./contract-permissions.ts";
import { Id, text } from "./contract-subjects.ts";

/** Roles and what they permit. See docs/identity.md. */

export const RoleName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, "lower-case letters, digits, dashes");

/** Without `$regex`: a pattern can block the process. */
const OPERATORS = ["$eq", "$ne", "$in", "$nin", "$gt", "$gte", "$lt", "$lte", "$exists"];
const Conditions = limitKeys(
  z.record(
    z
      .string()
      .max(100)
      .regex(
        /^(?!__proto__$|constructor$|prototype$)[A-Za-z_][\w.]{0,99}$/,
        "a field of the request",
      ),
    z.union([
      z.string().max(500),
      z.number(),
      z.boolean(),
      z.partialRecord(
        z.enum(OPERATORS),
        z.union([
          z.string().max(500),
          z.number(),
          z.boolean(),
          z.array(z.union([z.string().max(500), z.number(), z.boolean()])).max(200),
        ]),
      ),
    ]),
  ),
  20,
)
  // no condition at all would permit everything
  .refine(
    (conditions) => Object.keys(conditions).length > 0,
    "give at least one condition, or leave `conditions` out",
  );

const NewPermission = z.object({
  action: z
    .enum([...VERBS, "manage"])
    .describe("The verb of a permission; manage: every verb but administer"),
  subject: z.enum([...RESOURCES, "all"]).describe("The resource of a permission, or all"),
  conditions: Conditions.optional().describe(
    'On fields of the request, as a MongoDB query: {"model": {"$in": ["openai/gpt-5"]}}',
  ),
  inverted: z.boolean().optional().describe("Forbids what another permission allows"),
});
/** A stored permission; another version may have written it. */
const Granted = NewPermission.extend({ action: z.string(), subject: z.string() });
export type GrantedPermission = z.output<typeof Granted>;

const RoleFields = z.object({
  description: text(2_000),
  permissions: z
    .array(
      // a misspelt condition would grant more
      NewPermission.strict().refine(exists, {
        error: "this permission does not exist; GET /api/v1/permissions lists all",
      }),
    )
    .max(200),
});
export const NewRole = RoleFields.partial().extend({ name: RoleName });
export const RoleChange = RoleFields.partial();
export const Role = RoleFields.extend({
  name: z.string(),
  permissions: z.array(Granted),
  builtIn: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Role = z.output<typeof Role>;

function exists({ action, subject }: { action: string; subject: string }): boolean {
  return action === "manage" || subject === "all" || `${subject}:${action}` in PERMISSIONS;
}

const byName = z.object({ name: RoleName });

export const rolesContract = {
  rolesOfUser: route({
    method: "get",
    path: "/api/v1/user-role/user/:userId",
    access: ["user-secret", "jwt"],
    permission: "role:read",
    summary:
      "The roles of a user, those of groups too; users may ask for their own, administrators for any user's",
    params: z.object({ userId: Id }),
    ok: z.object({ userId: z.string(), roles: z.array(z.string()) }),
  }),
  rolesOfGroups: route({
    method: "post",
    path: "/api/v1/user-role/groups",
    access: "user-secret",
    changes: "none",
    summary: "List the roles that a user has through groups, besides those of the token",
    body: z.object({ userId: Id, clientId: Id, roles: z.array(RoleName).max(100) }),
    ok: z.object({ roles: z.array(z.string()) }),
  }),
  rolePermissions: route({
    method: "post",
    path: "/api/v1/role-permissions/roles",
    access: ["user-secret", "jwt"],
    permission: "role:read",
    changes: "none",
    summary: "List the permissions of roles; unknown roles are left out",
    body: z.object({ roles: z.array(RoleName).max(100) }),
    ok: z.object({
      roles: z.array(z.object({ name: z.string(), permissions: z.array(Granted) })),
    }),
  }),
  listRoles: route({
    method: "get",
    path: "/api/v1/roles",
    access: "admin",
    permission: "role:administer",
    summary: "List all roles",
    query: pageQuery,
    ok: pageOf(Role),
  }),
  createRole: route({
    method: "post",
    path: "/api/v1/roles",
    access: "operator",
    permission: "role:administer",
    changes: "role",
    summary: "Create a role",
    body: NewRole,
    status: 201,
    ok: Role,
  }),
  getRole: route({
    method: "get",
    path: "/api/v1/roles/:name",
    access: "admin",
    permission: "role:administer",
    summary: "Read a role",
    params: byName,
    ok: Role,
  }),
  changeRole: route({
    method: "patch",
    path: "/api/v1/roles/:name",
    access: "operator",
    permission: "role:administer",
    changes: "role/:name",
    summary: "Change a role that is not built in; effective from the next request",
    params: byName,
    body: RoleChange,
    ok: Role,
  }),
  deleteRole: route({
    method: "delete",
    path: "/api/v1/roles/:name",
    access: "operator",
    permission: "role:administer",
    changes: "role/:name",
    summary: "Delete a role that no user and no group has",
    params: byName,
  }),
};
