import { z } from "zod";
import { storableTime } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Id, ResourceType } from "./contract-subjects.ts";

/**
 * Who may see and do what with one resource. Source: requirements 3 "Sharing flow"; design
 * "Integrations, permissions, sharing".
 */

/**
 * Weakest first. A viewer reads, a commenter reacts, an editor changes, an owner shares and
 * deletes.
 */
export const AccessRole = z.enum(["viewer", "commenter", "editor", "owner"]);
export type AccessRole = z.output<typeof AccessRole>;

export const Resource = z.object({ resourceType: ResourceType, resourceId: Id });
export type Resource = z.output<typeof Resource>;

const Decision = z.object({ hasAccess: z.boolean(), role: AccessRole.nullable() });

const NewShare = z.object({
  subjectType: z.enum(["user", "group"]),
  subjectId: Id,
  accessRole: AccessRole,
});
export type NewShare = z.output<typeof NewShare>;
const NewShares = z.array(NewShare).min(1).max(100);

export const Share = z.object({
  id: z.uuid(),
  featureId: z.uuid(),
  subjectType: z.enum(["user", "group"]),
  subjectId: z.string(),
  accessRole: AccessRole,
  grantedByUserId: z.string(),
  createdAt: z.iso.datetime(),
});
export type Share = z.output<typeof Share>;

const LinkLevel = z.enum(["viewer", "commenter", "editor"]);
export const Link = z.object({
  enabled: z.boolean(),
  accessLevel: LinkLevel,
  expiresAt: z.iso.datetime().nullable(),
  allowedUsers: z
    .array(z.string())
    .nullable()
    .describe("null: everybody of the organisation who has the link"),
});
export type Link = z.output<typeof Link>;
export const LinkSettings = z.object({
  enabled: z.boolean(),
  accessLevel: LinkLevel.default("viewer"),
  expiresAt: storableTime().nullish(),
  allowedUsers: z
    .array(Id)
    .max(1_000)
    .nullish()
    .describe("Absent or null: everybody of the organisation; empty: nobody"),
});

export const Feature = z.object({
  featureId: z.uuid(),
  resourceType: ResourceType,
  resourceId: z.string(),
  ownerId: z.string(),
  parentId: z.string().nullable().describe("The folder that it lies in"),
  createdAt: z.iso.datetime(),
});
export type Feature = z.output<typeof Feature>;
export const NewFeature = Resource.extend({
  ownerId: Id,
  parentId: Id.nullish().describe(
    "resourceId of the folder that it lies in; its shares are inherited. Absent: none",
  ),
});

const Shared = Resource.extend({
  role: AccessRole,
  inherited: z.boolean().describe("By a folder above it"),
});
const SharedQuery = pageQuery.extend({ resourceType: ResourceType.optional() });
const AskOne = Resource.extend({ userId: Id });
const AskMany = z.object({ userId: Id, resources: z.array(Resource).min(1).max(500) });
const ManyDecisions = z.object({ results: z.array(Resource.extend(Decision.shape)) });
const Shares = z.object({ featureId: z.uuid(), shares: z.array(Share) });

export const sharingContract = {
  share: route({
    method: "post",
    path: "/api/v1/sharing/share",
    access: "jwt",
    permission: "share:create",
    summary: "Share a resource that one owns",
    description: "Sharing again with the same subject changes its role.",
    body: Resource.extend({ shares: NewShares }),
    status: 201,
    ok: Shares,
  }),
  listShares: route({
    method: "get",
    path: "/api/v1/sharing/shares/:resourceType/:resourceId",
    access: "jwt",
    permission: "share:read",
    summary: "With whom a resource is shared; for its owners",
    params: Resource,
    query: pageQuery,
    ok: pageOf(Share),
  }),
  deleteShare: route({
    method: "delete",
    path: "/api/v1/sharing/shares/:shareId",
    access: "jwt",
    permission: "share:delete",
    summary: "Revoke a share, as an owner, or leave it, as the user that it was given to",
    params: z.object({ shareId: z.uuid() }),
  }),
  sharedWithMe: route({
    method: "get",
    path: "/api/v1/sharing/shared-with-me",
    access: "jwt",
    permission: "share:read",
    summary: "What others shared with oneself, without what lies inside shared folders",
    query: SharedQuery,
    ok: pageOf(Shared),
  }),
  sharedWith: route({
    method: "get",
    path: "/api/v1/sharing/shared-with/:userId",
    access: "user-secret",
    summary:
      "What others shared with a user, with what lies inside shared folders; for sibling services",
    params: z.object({ userId: Id }),
    query: SharedQuery,
    ok: pageOf(Shared),
  }),
  getLink: route({
    method: "get",
    path: "/api/v1/sharing/links/:resourceType/:resourceId",
    access: "jwt",
    permission: "share:read",
    summary: "The link settings of a resource; for its owners",
    params: Resource,
    ok: Link,
  }),
  setLink: route({
    method: "put",
    path: "/api/v1/sharing/links/:resourceType/:resourceId",
    access: "jwt",
    permission: "share:create",
    summary: "Whether whoever has the link may see a resource, how long, and who",
    params: Resource,
    body: LinkSettings,
    ok: Link,
  }),
  listSubjects: route({
    method: "get",
    path: "/api/v1/sharing/subjects",
    access: "jwt",
    permission: "directory:read",
    summary:
      "Users and groups of one's organisation by the beginning of their name or email, to share with",
    query: pageQuery.extend({ query: z.string().trim().min(2).max(100) }),
    ok: pageOf(
      z.object({ subjectType: z.enum(["user", "group"]), subjectId: z.string(), name: z.string() }),
    ),
  }),
  checkAccess: route({
    method: "post",
    path: "/api/v1/sharing/check-access",
    access: ["user-secret", "jwt"],
    permission: "share:read",
    summary: "Whether a user has access to a resource, and in which role",
    description: "With a token: about oneself, or about anybody for what one owns.",
    body: AskOne,
    ok: Decision,
  }),
  checkAccessBatch: route({
    method: "post",
    path: "/api/v1/sharing/check-access/batch",
    access: ["user-secret", "jwt"],
    permission: "share:read",
    summary: "The same for many resources; answers are in the order of the questions",
    body: AskMany,
    ok: ManyDecisions,
  }),
  registerFeature: route({
    method: "post",
    path: "/api/v1/features",
    access: "user-secret",
    summary:
      "Say that a resource exists, whose it is and in which folder it lies; again when that changes",
    body: NewFeature,
    ok: Feature,
  }),
  registerFeatures: route({
    method: "post",
    path: "/api/v1/features/batch",
    access: "user-secret",
    summary: "The same for many at once",
    body: z.object({ features: z.array(NewFeature).min(1).max(500) }),
  }),
  deleteFeature: route({
    method: "delete",
    path: "/api/v1/features/:resourceType/:resourceId",
    access: "user-secret",
    summary:
      "Say that a resource is gone; its shares, link and lock go with it. Of none: nothing happens",
    params: Resource,
  }),
  createShares: route({
    method: "post",
    path: "/api/v1/features/shares",
    access: "user-secret",
    summary: "Create shares on behalf of a user",
    body: z.object({ featureId: z.uuid(), shares: NewShares, grantedByUserId: Id }),
    status: 201,
    ok: Shares,
  }),
  checkFeatureAccess: route({
    method: "post",
    path: "/api/v1/features/check-access",
    access: "user-secret",
    summary: "Whether a user has access to a resource, and in which role",
    body: AskOne,
    ok: Decision,
  }),
};
