import type { Database } from "../../../platform/db/database.ts";
import { type Caller, isAdmin, userOf } from "../../../platform/http/caller.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { sharingContract as contract, isAtLeast, type Resource } from "../contract-sharing.ts";
import { userId } from "../user-id.ts";
import { decideAccess } from "./decide-access.ts";
import { deleteFeature, registerFeature, registerFeatures, tenantOf } from "./features-store.ts";
import { describeShared } from "./describe-shared.ts";
import { listShared, listSubjects } from "./list-shared.ts";
import { getLink, setLink } from "./manage-links.ts";
import { createShares, deleteShare, listShares, share } from "./manage-shares.ts";

export function sharingRoutes(routes: Routes, deps: { db: Database; maxShares: number }): void {
  const { db } = deps;
  const checkOne = async (subjectId: string, resource: Resource) => {
    const [role = null] = await decideAccess(db, subjectId, [resource]);
    return { hasAccess: role !== null, role };
  };
  routes
    .on(contract.share, ({ caller, body: { shares, ...resource } }) =>
      share(deps, userId(caller), resource, shares),
    )
    .on(contract.listShares, async ({ caller, params, query }) => ({
      ...(await listShares(db, userId(caller), params, query.limit, offsetOf(query))),
      page: query.page,
      limit: query.limit,
    }))
    .on(contract.deleteShare, ({ caller, params }) =>
      deleteShare(db, userId(caller), params.shareId),
    )
    .on(contract.sharedWithMe, async ({ caller, query: { page, limit, resourceType } }) => {
      const user = userId(caller);
      const shared = await listSharedPage(user, resourceType, false, page, limit);
      return { ...shared, items: await describeShared(db, user, shared.items) };
    })
    .on(contract.sharedWith, ({ params, query: { page, limit, resourceType } }) =>
      listSharedPage(params.userId, resourceType, true, page, limit),
    )
    .on(contract.getLink, ({ caller, params }) => getLink(db, userId(caller), params))
    .on(contract.setLink, ({ caller, params, body }) => setLink(db, userId(caller), params, body))
    .on(contract.listSubjects, async ({ caller, query }) => ({
      ...(await listSubjects(
        db,
        caller.kind === "user" ? caller.clientId : "",
        query.query,
        query.limit,
        offsetOf(query),
      )),
      page: query.page,
      limit: query.limit,
    }))
    .on(contract.checkAccess, async ({ caller, body: { userId: subjectId, ...resource } }) => {
      await requireMayAsk(db, caller, subjectId, [resource]);
      return checkOne(subjectId, resource);
    })
    .on(contract.checkFeatureAccess, ({ body: { userId: subjectId, ...resource } }) =>
      checkOne(subjectId, resource),
    )
    .on(contract.checkAccessBatch, async ({ caller, body: { userId: subjectId, resources } }) => {
      await requireMayAsk(db, caller, subjectId, resources);
      const roles = await decideAccess(db, subjectId, resources);
      return {
        results: resources.map((resource, index) => ({
          ...resource,
          hasAccess: Boolean(roles[index]),
          role: roles[index] ?? null,
        })),
      };
    })
    .on(contract.registerFeature, ({ body }) => registerFeature(db, body))
    .on(contract.registerFeatures, ({ body }) => registerFeatures(db, body.features))
    .on(contract.deleteFeature, ({ params }) => deleteFeature(db, params))
    .on(contract.createShares, ({ body }) =>
      createShares(deps, body.grantedByUserId, body.featureId, body.shares),
    );

  async function listSharedPage(
    subjectId: string,
    resourceType: Resource["resourceType"] | undefined,
    inherited: boolean,
    page: number,
    limit: number,
  ) {
    return {
      ...(await listShared(db, subjectId, {
        resourceType,
        inherited,
        limit,
        offset: offsetOf({ page, limit }),
      })),
      page,
      limit,
    };
  }
}

/**
 * Services may ask about any user; users about themselves, administrators about users of their
 * tenant, and owners about their resources.
 */
async function requireMayAsk(
  db: Database,
  caller: Caller,
  subjectId: string,
  resources: Resource[],
): Promise<void> {
  if (caller.kind === "service" || userId(caller) === subjectId) return;
  if (isAdmin(caller) && (await tenantOf(db, subjectId)) === userOf(caller).clientId) return;
  const own = await decideAccess(db, userId(caller), resources);
  if (own.every((role) => isAtLeast(role, "owner"))) return;
  throw new Forbidden(
    "others_access",
    "You may check your own access, and others' access to resources that you own.",
  );
}
