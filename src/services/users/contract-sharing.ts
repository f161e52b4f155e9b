import { z } from "zod";
import { storableTime } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Id, ResourceType } from "./contract-subjects.ts";

/** Sharing of resources, and decisions on access. See docs/sharing.md. */

/**
 * Weakest first. Viewers read, commenters react, editors change, owners share and delete.
 */
export const AccessRole = z.enum(["viewer", "commenter", "editor", "owner"]);
export type AccessRole = z.output<typeof AccessRole>;

/** Whether a role permits what the minimum permits: the roles are in the order of their rights. */
export function isAtLeast(role: AccessRole | null, minimum: AccessRole): boolean {
  return (
    role !== null && AccessRole.options.indexOf(role) >= AccessRole.options.indexOf(minimum)
  );
}

export const Resource = z.object({ resourceType: ResourceType, resourceId: Id });
export type Resource = z.output<typeof Resource>;
export const NamedResource = Resource.extend({
  resourceType: z
    .enum([...ResourceType.options, "source"])
    .describe("`source`: the folder or document with this id"),
});
export type NamedResource = z.output<typeof NamedResource>;

const Decision = z.object({ hasAccess: z.boolean(), role: AccessRole.nullable() });

const NewShare = z.object({
  subjectType: z.enum(["user", "group"]),
  subjectId: Id,
  accessRole: AccessRole,
});
export type NewShare = z.output<typeof NewShare>;
const NewShares = z.array(NewShare.strict()).min(1).max(100);

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
    .describe("null: everybody in the organisation who has the link"),
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
    .describe("Absent or null: everybody in the organisation; empty: nobody"),
});

export const Feature = z.object({
  featureId: z.uuid(),
  resourceType: ResourceType,
  resourceId: z.string(),
  ownerId: z.string(),
  parentId: z.string().nullable().describe("The folder that contains it"),
  createdAt: z.iso.datetime(),
});
export type Feature = z.output<typeof Feature>;
export const NewFeature = Resource.extend({
  ownerId: Id,
  parentId: Id.nullish().describe(
    "resourceId of the folder that contains it and whose shares it inherits",
  ),
});

const Shared = Resource.extend({
  role: AccessRole,
  inherited: z
    .boolean()
    .describe("Whether a folder above it is shared, not the resource itself"),
});
const SharedWithMe = Shared.extend({
  ownerName: z.string().nullable().describe("null: the owner is gone"),
  through: z
    .array(
      z.object({
        subjectType: z.enum(["user", "group"]),
        name: z.string().describe("Name of the group; empty for a share with the caller"),
        grantedByName: z.string().nullable().describe("null: the user is gone"),
        createdAt: z.iso.datetime(),
      }),
    )
    .describe("The shares that give it to the caller, the newest first"),
});
export type SharedWithMe = z.output<typeof SharedWithMe>;
export const AccessGround = z.object({
  kind: z
    .enum(["owner", "user", "group", "link"])
    .describe("Ownership, a share with the caller or with a group of theirs, or the link"),
  role: AccessRole,
  folderId: z
    .string()
    .nullable()
    .describe(
      "The folder above it that is owned, shared or opened; null: the resource itself",
    ),
  groupName: z.string().nullable().describe("null unless shared with a group"),
  grantedByName: z
    .string()
    .nullable()
    .describe("Who shared it; null for the rest, and if the user is gone"),
  since: z.iso.datetime().nullable().describe("Of a share"),
});
export type AccessGround = z.output<typeof AccessGround>;
const SharedQuery = pageQuery.extend({ resourceType: ResourceType.optional() });
const SharedWithMeQuery = SharedQuery.extend({
  since: z.iso
    .datetime()
    .max(40)
    .optional()
    .describe("Only what was shared from then on, the newest first"),
});
const AccessQuestion = NamedResource.extend({ userId: Id });
const AccessQuestions = z.object({
  userId: Id,
  resources: z.array(NamedResource).min(1).max(500),
});
const Decisions = z.object({ results: z.array(NamedResource.extend(Decision.shape)) });
const Shares = z.object({ featureId: z.uuid(), shares: z.array(Share) });

export const sharingContract = {
  share: route({
    method: "post",
    path: "/api/v1/sharing/share",
    access: "jwt",
    permission: "share:create",
    changes: "share",
    summary: "Share a resource that the caller owns",
    description: "Sharing again with the same user or group changes the role.",
    body: NamedResource.extend({ shares: NewShares }),
    status: 201,
    ok: Shares,
  }),
  listShares: route({
    method: "get",
    path: "/api/v1/sharing/shares/:resourceType/:resourceId",
    access: "jwt",
    permission: "share:read",
    summary: "List the shares of a resource; for its owners",
    params: NamedResource,
    query: pageQuery,
    ok: pageOf(
      Share.extend({
        name: z.string().describe("Name of the user or group; empty if it was deleted"),
        grantedByName: z.string().nullable().describe("null: the user is gone"),
      }),
    ),
  }),
  deleteShare: route({
    method: "delete",
    path: "/api/v1/sharing/shares/:shareId",
    access: "jwt",
    permission: "share:delete",
    changes: "share",
    summary: "Revoke a share: as an owner, or as the user who received it",
    params: z.object({ shareId: z.uuid() }),
  }),
  sharedWithMe: route({
    method: "get",
    path: "/api/v1/sharing/shared-with-me",
    access: "jwt",
    permission: "share:read",
    summary:
      "List what others shared with the caller, without the contents of shared folders",
    query: SharedWithMeQuery,
    ok: pageOf(SharedWithMe),
  }),
  sharedWith: route({
    method: "get",
    path: "/api/v1/sharing/shared-with/:userId",
    access: "user-secret",
    summary: "List what others shared with a user, with the contents of shared folders",
    params: z.object({ userId: Id }),
    query: SharedQuery,
    ok: pageOf(Shared),
  }),
  explainAccess: route({
    method: "get",
    path: "/api/v1/sharing/access/:resourceType/:resourceId",
    access: "jwt",
    permission: "share:read",
    summary: "Say why the caller has access to a resource",
    description: "Every ground, the strongest first, at most 50. 404 without access.",
    params: NamedResource,
    ok: z.object({
      role: AccessRole,
      ownerName: z.string().nullable().describe("null: the owner is gone"),
      grounds: z.array(AccessGround),
    }),
  }),
  getLink: route({
    method: "get",
    path: "/api/v1/sharing/links/:resourceType/:resourceId",
    access: "jwt",
    permission: "share:read",
    summary: "Read the link settings of a resource; for its owners",
    params: NamedResource,
    ok: Link,
  }),
  setLink: route({
    method: "put",
    path: "/api/v1/sharing/links/:resourceType/:resourceId",
    access: "jwt",
    permission: "share:create",
    changes: "share/:resourceId",
    summary: "Set who may open a resource by its link, in which role and until when",
    params: NamedResource,
    body: LinkSettings,
    ok: Link,
  }),
  listSubjects: route({
    method: "get",
    path: "/api/v1/sharing/subjects",
    access: "jwt",
    permission: "directory:read",
    summary: "Find users and groups to share with by the beginning of their name or email",
    query: pageQuery.extend({ query: z.string().trim().min(2).max(100) }),
    ok: pageOf(
      z.object({
        subjectType: z.enum(["user", "group"]),
        subjectId: z.string(),
        name: z.string(),
      }),
    ),
  }),
  checkAccess: route({
    method: "post",
    path: "/api/v1/sharing/check-access",
    access: ["user-secret", "jwt"],
    permission: "share:read",
    changes: "none",
    summary: "Check whether a user has access to a resource, and in which role",
    description:
      "Users may ask about themselves, and owners of the resource about any user.",
    body: AccessQuestion,
    ok: Decision,
  }),
  checkAccessBatch: route({
    method: "post",
    path: "/api/v1/sharing/check-access/batch",
    access: ["user-secret", "jwt"],
    permission: "share:read",
    changes: "none",
    summary: "Check access to many resources; answers keep the order of the questions",
    description:
      "Users may ask about themselves, and owners of a resource about any user. A resource " +
      "about which the caller may not ask is answered like one without access.",
    body: AccessQuestions,
    ok: Decisions,
  }),
  registerFeature: route({
    method: "post",
    path: "/api/v1/features",
    access: "user-secret",
    changes: "none",
    summary: "Register a resource with its owner and folder, or change these",
    body: NewFeature,
    ok: Feature,
  }),
  registerFeatures: route({
    method: "post",
    path: "/api/v1/features/batch",
    access: "user-secret",
    changes: "none",
    summary: "Register many resources",
    body: z.object({ features: z.array(NewFeature).min(1).max(500) }),
  }),
  deleteFeature: route({
    method: "delete",
    path: "/api/v1/features/:resourceType/:resourceId",
    access: "user-secret",
    changes: "none",
    summary:
      "Delete the registration of a resource with its shares, link and lock; idempotent",
    params: Resource,
  }),
  createShares: route({
    method: "post",
    path: "/api/v1/features/shares",
    access: "user-secret",
    changes: "none",
    summary: "Create shares for a user",
    body: z.object({ featureId: z.uuid(), shares: NewShares, grantedByUserId: Id }),
    status: 201,
    ok: Shares,
  }),
  checkFeatureAccess: route({
    method: "post",
    path: "/api/v1/features/check-access",
    access: "user-secret",
    changes: "none",
    summary: "Check whether a user has access to a resource, and in which role",
    body: AccessQuestion,
    ok: Decision,
  }),
};
