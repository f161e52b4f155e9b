import { z } from "zod";
import { int8 } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { NamedResource, Resource } from "./contract-sharing.ts";
import { Id, ResourceType } from "./contract-subjects.ts";

/** Editing locks. See docs/sharing.md. */

export const Lock = z.object({
  featureId: z.uuid(),
  userId: z.string(),
  token: z
    .number()
    .int()
    .describe(
      "Increases with every new lock of the resource, so a smaller token is outdated",
    ),
  acquiredAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Lock = z.output<typeof Lock>;

const NamedLock = Lock.extend({
  userName: z.string().nullable().describe("Name of the holder; null: the user is gone"),
});
export type NamedLock = z.output<typeof NamedLock>;

const HeldLock = NamedLock.extend({
  resourceType: ResourceType,
  resourceId: z.string(),
  ownerId: z.string(),
  ownerName: z.string().nullable().describe("null: the user is gone"),
});
export type HeldLock = z.output<typeof HeldLock>;

const answers = {
  status: 201,
  also: { 200: "The caller already held the lock. It is renewed." },
  failures: {
    423: "Another user holds the lock; `details` is `{featureId, userId, expiresAt}`.",
  },
} as const;
const path = "/api/v1/sharing/locks/:resourceType/:resourceId";

export const locksContract = {
  acquireLock: route({
    method: "post",
    path,
    access: "jwt",
    permission: "lock:update",
    changes: "lock/:resourceId",
    summary: "Acquire or renew the lock of a resource that the caller may edit",
    params: NamedResource,
    ...answers,
    ok: Lock,
  }),
  getLock: route({
    method: "get",
    path,
    access: "jwt",
    permission: "lock:read",
    summary: "Read who holds the lock of a resource; 404 `not_locked` when nobody does",
    params: NamedResource,
    ok: Lock,
  }),
  releaseLock: route({
    method: "delete",
    path,
    access: "jwt",
    permission: "lock:update",
    changes: "lock/:resourceId",
    summary: "Release the caller's lock",
    params: NamedResource,
  }),
  listLocks: route({
    method: "get",
    path: "/api/v1/features/locks",
    access: "admin",
    permission: "lock:administer",
    summary: "List the locks that users of the organisation hold now, newest first",
    query: pageQuery,
    ok: pageOf(HeldLock),
  }),
  forceRelease: route({
    method: "delete",
    path: "/api/v1/features/:featureId/locks/force",
    access: "admin",
    permission: "lock:administer",
    changes: "lock",
    summary: "Release the lock of any user",
    params: z.object({ featureId: z.uuid() }),
  }),
  acquireFeatureLock: route({
    method: "post",
    path: "/api/v1/features/:featureId/locks",
    access: "user-secret",
    changes: "none",
    summary: "Acquire or renew a lock for a user who may edit the resource",
    params: z.object({ featureId: z.uuid() }),
    body: z.object({ userId: Id }),
    ...answers,
    ok: Lock,
  }),
  checkLock: route({
    method: "post",
    path: "/api/v1/features/locks/check",
    access: "user-secret",
    changes: "none",
    summary:
      "Whether locks allow a user to write to a resource now; for the service that writes",
    description:
      "Without `token`: true unless another user holds the lock. " +
      "With `token`: true only if it is the newest token and no other user holds the lock.",
    body: Resource.extend({ userId: Id, token: int8().optional() }),
    ok: z.object({ mayWrite: z.boolean(), lock: NamedLock.nullable() }),
  }),
};
