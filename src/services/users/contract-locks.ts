import { z } from "zod";
import { int8 } from "../../platform/http/bounds.ts";
import { route } from "../../platform/http/route.ts";
import { Resource } from "./contract-sharing.ts";
import { Id } from "./contract-subjects.ts";

/** Editing locks. Source: requirements 3 "Lock", "States and transitions"; design "Lock". */

export const Lock = z.object({
  featureId: z.uuid(),
  userId: z.string(),
  token: z
    .number()
    .int()
    .describe(
      "Grows with every new lock of the resource: what was written under a smaller one is late",
    ),
  acquiredAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Lock = z.output<typeof Lock>;

const answers = {
  status: 201,
  also: { 200: "The caller holds the lock already; it is renewed." },
  failures: { 423: "Another user holds the lock; `details` is `{featureId, userId, expiresAt}`." },
} as const;
const path = "/api/v1/sharing/locks/:resourceType/:resourceId";

export const locksContract = {
  acquireLock: route({
    method: "post",
    path,
    access: "jwt",
    permission: "lock:update",
    summary: "Take the lock of a resource that one may edit; 200 when one had it: it is renewed",
    params: Resource,
    ...answers,
    ok: Lock,
  }),
  getLock: route({
    method: "get",
    path,
    access: "jwt",
    permission: "lock:read",
    summary: "Who holds the lock of a resource that one may see; 404 `not_locked` when nobody does",
    params: Resource,
    ok: Lock,
  }),
  releaseLock: route({
    method: "delete",
    path,
    access: "jwt",
    permission: "lock:update",
    summary: "Release one's lock",
    params: Resource,
  }),
  forceRelease: route({
    method: "delete",
    path: "/api/v1/features/:featureId/locks/force",
    access: "admin",
    permission: "lock:administer",
    summary: "End anybody's lock",
    params: z.object({ featureId: z.uuid() }),
  }),
  acquireFeatureLock: route({
    method: "post",
    path: "/api/v1/features/:featureId/locks",
    access: "user-secret",
    summary: "Take or renew a lock on behalf of a user who may edit the resource",
    params: z.object({ featureId: z.uuid() }),
    body: z.object({ userId: Id }),
    ...answers,
    ok: Lock,
  }),
  checkLock: route({
    method: "post",
    path: "/api/v1/features/locks/check",
    access: "user-secret",
    summary:
      "Whether a user may write to a resource now, as far as locks are concerned; asked by the service that writes",
    description:
      "Without `token`: unless another holds the lock. With it: only if it is of the newest lock, and nobody else holds one.",
    body: Resource.extend({ userId: Id, token: int8().optional() }),
    ok: z.object({ mayWrite: z.boolean(), lock: Lock.nullable() }),
  }),
};
