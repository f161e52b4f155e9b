import { z } from "zod";
import { flagText } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Id, text } from "./contract-subjects.ts";

/** Groups of users, nested without circles. Source: issue "Groups"; design "Identity". */

const GroupFields = z.object({
  name: text(200).trim().min(1),
  description: text(2_000),
  externalName: Id.nullable().describe(
    "A group as the identity provider names it: whoever has it in his claims is a member",
  ),
});
export const NewGroup = GroupFields.partial().required({ name: true });
export const GroupChange = GroupFields.partial();

export const Group = GroupFields.extend({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Group = z.output<typeof Group>;

const byId = z.object({ id: z.uuid() });
const byMember = byId.extend({ userId: Id });
const byChild = byId.extend({ groupId: z.uuid() });

export const groupsContract = {
  listGroups: route({
    method: "get",
    path: "/api/v1/groups",
    access: "admin",
    permission: "group:administer",
    summary: "All groups",
    query: pageQuery,
    ok: pageOf(Group),
  }),
  createGroup: route({
    method: "post",
    path: "/api/v1/groups",
    access: "admin",
    permission: "group:administer",
    summary: "Make a group",
    body: NewGroup,
    status: 201,
    ok: Group,
  }),
  getGroup: route({
    method: "get",
    path: "/api/v1/groups/:id",
    access: ["admin", "user-secret"],
    permission: "group:administer",
    summary: "One group",
    params: byId,
    ok: Group,
  }),
  changeGroup: route({
    method: "patch",
    path: "/api/v1/groups/:id",
    access: "admin",
    permission: "group:administer",
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
    summary: "Delete a group; what was shared with it is shared with it no more",
    params: byId,
  }),
  listMembers: route({
    method: "get",
    path: "/api/v1/groups/:id/members",
    access: ["admin", "user-secret"],
    permission: "group:administer",
    summary: "The members of a group",
    params: byId,
    query: pageQuery.extend({
      effective: flagText()
        .default(false)
        .describe("Also those of nested groups and of the identity provider"),
      clientId: Id.optional().describe("For services: only when the group is of this tenant"),
    }),
    ok: pageOf(
      z.object({ userId: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
    ),
  }),
  addMember: route({
    method: "put",
    path: "/api/v1/groups/:id/members/:userId",
    access: "admin",
    permission: "group:administer",
    summary: "Put a user into a group",
    params: byMember,
  }),
  removeMember: route({
    method: "delete",
    path: "/api/v1/groups/:id/members/:userId",
    access: "admin",
    permission: "group:administer",
    summary: "Take a user out of a group",
    params: byMember,
  }),
  listNested: route({
    method: "get",
    path: "/api/v1/groups/:id/groups",
    access: "admin",
    permission: "group:administer",
    summary: "Groups whose members are members of this one too",
    params: byId,
    query: pageQuery,
    ok: pageOf(Group),
  }),
  nestGroup: route({
    method: "put",
    path: "/api/v1/groups/:id/groups/:groupId",
    access: "admin",
    permission: "group:administer",
    summary: "Let the members of another group be members of this one",
    params: byChild,
  }),
  unnestGroup: route({
    method: "delete",
    path: "/api/v1/groups/:id/groups/:groupId",
    access: "admin",
    permission: "group:administer",
    summary: "End that",
    params: byChild,
  }),
};
