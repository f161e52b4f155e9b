import { z } from "zod";
import { flagText } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { RoleName } from "./contract-roles.ts";
import { Id, text } from "./contract-subjects.ts";
import { MembershipSource } from "./contract-user-access.ts";

/** Groups of users. Groups may contain groups, without cycles. */

const GroupFields = z.object({
  name: text(200).trim().min(1),
  description: text(2_000),
  externalName: Id.nullable().describe(
    "Name of the group at the identity provider: users whose claims list it are members",
  ),
  roles: z
    .array(RoleName)
    .max(20)
    .describe("Every member has these roles, members of nested groups too"),
});
export const NewGroup = GroupFields.partial().required({ name: true });
export const GroupChange = GroupFields.partial();

export const Group = GroupFields.extend({
  roles: z.array(z.string()),
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Group = z.output<typeof Group>;

const ListedGroup = Group.extend({
  memberCount: z.number().int().describe("Users who were added to the group itself"),
  groupCount: z.number().int().describe("Groups nested directly in the group"),
});
export type ListedGroup = z.output<typeof ListedGroup>;

const byId = z.object({ id: z.uuid() });
const byMember = byId.extend({ userId: Id });
const byChild = byId.extend({ groupId: z.uuid() });

export const groupsContract = {
  listGroups: route({
    method: "get",
    path: "/api/v1/groups",
    access: "admin",
    permission: "group:administer",
    summary: "List all groups, by name",
    query: pageQuery.extend({
      query: text(200).optional().describe("Part of the name"),
      containing: z.uuid().optional().describe("Only groups in which this group is nested"),
    }),
    ok: pageOf(ListedGroup),
  }),
  createGroup: route({
    method: "post",
    path: "/api/v1/groups",
    access: "admin",
    permission: "group:administer",
    changes: "group",
    summary: "Create a group",
    body: NewGroup,
    status: 201,
    ok: Group,
  }),
  getGroup: route({
    method: "get",
    path: "/api/v1/groups/:id",
    access: ["admin", "user-secret"],
    permission: "group:administer",
    summary: "Read a group",
    params: byId,
    ok: Group,
  }),
  changeGroup: route({
    method: "patch",
    path: "/api/v1/groups/:id",
    access: "admin",
    permission: "group:administer",
    changes: "group/:id",
    summary: "Change a group",
    params: byId,
    body: GroupChange,
    ok: Group,
  }),
  deleteGroup: route({
    method: "delete",
    path: "/api/v1/groups/:id",
    access: "admin",
    permission: "group:administer",
    changes: "group/:id",
    summary: "Delete a group and every share with it",
    params: byId,
  }),
  listMembers: route({
    method: "get",
    path: "/api/v1/groups/:id/members",
    access: ["admin", "user-secret"],
    permission: "group:administer",
    summary: "List the members of a group",
    params: byId,
    query: pageQuery.extend({
      effective: flagText()
        .default(false)
        .describe("Include members of nested groups and members by the identity provider"),
      query: text(200).optional().describe("Part of the name or email"),
      sort: z.enum(["id", "name"]).default("id"),
      clientId: Id.optional().describe(
        "For services: the tenant that the group must belong to",
      ),
    }),
    ok: pageOf(
      z.object({
        userId: z.string(),
        name: z.string().nullable(),
        email: z.string().nullable(),
        sources: z.array(MembershipSource).describe("Through what; the first 20"),
      }),
    ),
  }),
  addMember: route({
    method: "put",
    path: "/api/v1/groups/:id/members/:userId",
    access: "admin",
    permission: "group:administer",
    changes: "group/:id",
    summary: "Add a user to a group",
    params: byMember,
  }),
  removeMember: route({
    method: "delete",
    path: "/api/v1/groups/:id/members/:userId",
    access: "admin",
    permission: "group:administer",
    changes: "group/:id",
    summary: "Remove a user from a group",
    params: byMember,
  }),
  listNested: route({
    method: "get",
    path: "/api/v1/groups/:id/groups",
    access: "admin",
    permission: "group:administer",
    summary: "List the groups nested in a group",
    params: byId,
    query: pageQuery,
    ok: pageOf(ListedGroup),
  }),
  nestGroup: route({
    method: "put",
    path: "/api/v1/groups/:id/groups/:groupId",
    access: "admin",
    permission: "group:administer",
    changes: "group/:id",
    summary: "Nest a group: its members become members of this group too",
    params: byChild,
  }),
  unnestGroup: route({
    method: "delete",
    path: "/api/v1/groups/:id/groups/:groupId",
    access: "admin",
    permission: "group:administer",
    changes: "group/:id",
    summary: "Remove a nested group",
    params: byChild,
  }),
};
