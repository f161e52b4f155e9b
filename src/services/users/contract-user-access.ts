import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Session } from "./contract-sessions.ts";

/** What administrators see of one user's access: permissions, groups and sessions. */

const byId = z.object({ id: z.uuid() });

/** A role that grants or forbids a permission. */
const Ground = z.object({
  role: z.string(),
  conditions: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("The role says so only of requests that meet them"),
});

export const ExplainedPermission = z.object({
  name: z.string(),
  description: z.string(),
  allowed: z
    .enum(["yes", "no", "conditional"])
    .describe("conditional: it depends on the request"),
  grantedBy: z.array(Ground),
  forbiddenBy: z.array(Ground).describe("A role that forbids overrules those that grant"),
});
export type ExplainedPermission = z.output<typeof ExplainedPermission>;

/** How a user came to be a member of a group. */
export const MembershipSource = z.object({
  groupId: z.uuid(),
  groupName: z
    .string()
    .describe("The group that the user is in: this one, or one nested in it"),
  kind: z.enum(["added", "identity-provider"]),
});
export type MembershipSource = z.output<typeof MembershipSource>;

export const userAccessContract = {
  explainPermissions: route({
    method: "get",
    path: "/api/v1/users/:id/permissions",
    access: "admin",
    permission: "user:administer",
    summary: "Read what a user may do, and which role grants or forbids it",
    description:
      "All permissions, also those that the user lacks. `roles` are those that count: without any " +
      "known role the user has the role `user`.",
    params: byId,
    ok: z.object({
      roles: z.array(z.string()),
      rolesOfGroups: z
        .array(z.object({ role: z.string(), groupId: z.uuid(), groupName: z.string() }))
        .describe("Which roles come from which groups; the first 200"),
      permissions: z.array(ExplainedPermission),
    }),
  }),
  listGroupsOfUser: route({
    method: "get",
    path: "/api/v1/users/:id/groups",
    access: "admin",
    permission: "group:administer",
    summary: "List the groups that a user is a member of, and through what",
    params: byId,
    query: pageQuery,
    ok: pageOf(
      z.object({
        id: z.uuid(),
        name: z.string(),
        sources: z.array(MembershipSource).max(20),
      }),
    ),
  }),
  listUserSessions: route({
    method: "get",
    path: "/api/v1/users/:id/sessions",
    access: "admin",
    permission: "user:administer",
    summary: "List the open sessions of a user, last used first",
    params: byId,
    query: pageQuery,
    ok: pageOf(Session),
  }),
  endUserSessions: route({
    method: "delete",
    path: "/api/v1/users/:id/sessions",
    access: "admin",
    permission: "user:administer",
    changes: "user/:id",
    summary:
      "End all sessions of a user, and what they granted to clients of MCP; API keys stay",
    params: byId,
  }),
};
