import type { Database } from "../../../platform/db/database.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { json } from "../../../platform/http/respond.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { locksContract as contract } from "../contract-locks.ts";
import { findFeatureById, resourceNotFound } from "../sharing/features-store.ts";
import { nameSource } from "../sharing/name-sources.ts";
import { userId } from "../user-id.ts";
import {
  acquireLock,
  checkLock,
  forceRelease,
  getLock,
  listLocks,
  releaseLock,
} from "./manage-locks.ts";

export function locksRoutes(routes: Routes, db: Database, ttlMs: number): void {
  const acquire = async (holder: string, resource: Parameters<typeof acquireLock>[2]) => {
    const { lock, renewed } = await acquireLock(db, holder, resource, ttlMs);
    return renewed ? json(lock, 200) : lock;
  };
  routes
    .on(contract.acquireLock, async ({ caller, params }) =>
      acquire(userId(caller), await nameSource(db, params)),
    )
    .on(contract.getLock, async ({ caller, params }) =>
      getLock(db, userId(caller), await nameSource(db, params)),
    )
    .on(contract.releaseLock, async ({ caller, params }) =>
      releaseLock(db, userId(caller), await nameSource(db, params)),
    )
    .on(contract.listLocks, ({ caller, query }) =>
      listLocks(db, userOf(caller).clientId, query),
    )
    .on(contract.forceRelease, ({ caller, params }) =>
      forceRelease(db, userOf(caller), params.featureId),
    )
    .on(contract.acquireFeatureLock, async ({ params, body }) => {
      const feature = await findFeatureById(db, params.featureId);
      if (!feature) throw resourceNotFound();
      return acquire(body.userId, feature);
    })
    .on(contract.checkLock, ({ body: { userId: holder, token, ...resource } }) =>
      checkLock(db, holder, resource, token),
    );
}
