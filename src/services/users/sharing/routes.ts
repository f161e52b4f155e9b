import type { Database } from "../../../platform/db/database.ts";
import { type Caller, userOf } from "../../../platform/http/caller.ts";
import { administers } from "../../../platform/http/guard.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { readPage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import {
  sharingContract as contract,
  isAtLeast,
  type NamedResource,
  type Resource,
} from "../contract-sharing.ts";
import { userId } from "../user-id.ts";
import { decideAccess } from "./decide-access.ts";
import { explainAccess } from "./explain-access.ts";
import {
  deleteFeature,
  registerFeature,
  registerFeatures,
  tenantOf,
} from "./features-store.ts";
import { describeShared, listShared } from "./list-shared.ts";
import {
  createShares,
  deleteShare,
  listShares,
  listSubjects,
  share,
} from "./manage-shares.ts";
import { getLink, setLink } from "./manage-links.ts";
import { nameSource, nameSources } from "./name-sources.ts";

export function sharingRoutes(
  routes: Routes,
  deps: { db: Database; maxShares: number },
): void {
  const { db } = deps;
  accessRoutes(routes, db);
  routes
    .on(contract.share, async ({ caller, body: { shares, ...resource } }) =>
      share(deps, userId(caller), await nameSource(db, resource), shares),
    )
    .on(contract.listShares, async ({ caller, params, query }) => {
      const resource = await nameSource(db, params);
      return readPage(query, (limit, offset) =>
        listShares(db, userId(caller), resource, limit, offset),
      );
    })
    .on(contract.deleteShare, ({ caller, params }) =>
      deleteShare(db, userId(caller), params.shareId),
    )
    .on(contract.sharedWithMe, ({ caller, query }) => {
      const user = userId(caller);
      const { resourceType, since } = query;
      return readPage(query, async (limit, offset) => {
        const filter = { resourceType, since, inherited: false, limit, offset };
        const { items, total } = await listShared(db, user, filter);
        return { items: await describeShared(db, user, items), total };
      });
    })
    .on(contract.sharedWith, ({ params, query }) => {
      const filter = { resourceType: query.resourceType, inherited: true };
      return readPage(query, (limit, offset) =>
        listShared(db, params.userId, { ...filter, limit, offset }),
      );
    })
    .on(contract.explainAccess, async ({ caller, params }) =>
      explainAccess(db, userId(caller), await nameSource(db, params)),
    )
    .on(contract.getLink, async ({ caller, params }) =>
      getLink(db, userId(caller), await nameSource(db, params)),
    )
    .on(contract.setLink, async ({ caller, params, body }) =>
      setLink(db, userId(caller), await nameSource(db, params), body),
    )
    .on(contract.listSubjects, ({ caller, query }) => {
      const clientId = caller.kind === "user" ? caller.clientId : "";
      return readPage(query, (limit, offset) =>
        listSubjects(db, clientId, query.query, limit, offset),
      );
    })
    .on(contract.registerFeature, ({ body }) => registerFeature(db, body))
    .on(contract.registerFeatures, ({ body }) => registerFeatures(db, body.features))
    .on(contract.deleteFeature, ({ params }) => deleteFeature(db, params))
    .on(contract.createShares, ({ body }) =>
      createShares(deps, body.grantedByUserId, body.featureId, body.shares),
    );
}

/** Who may use what. */
function accessRoutes(routes: Routes, db: Database): void {
  const checkOne = async (subjectId: string, resource: NamedResource) => {
    const [role = null] = await decideAccess(db, subjectId, [
      await nameSource(db, resource),
    ]);
    return { hasAccess: role !== null, role };
  };
  routes
    .on(
      contract.checkAccess,
      async ({ caller, body: { userId: subjectId, ...resource } }) => {
        const named = await nameSource(db, resource);
        const [mayAsk] = await decideMayAsk(db, caller, subjectId, [named]);
        if (!mayAsk) throw othersAccess();
        return checkOne(subjectId, named);
      },
    )
    .on(contract.checkFeatureAccess, ({ body: { userId: subjectId, ...resource } }) =>
      checkOne(subjectId, resource),
    )
    .on(
      contract.checkAccessBatch,
      async ({ caller, body: { userId: subjectId, resources } }) => {
        const named = await nameSources(db, resources);
        const mayAsk = await decideMayAsk(db, caller, subjectId, named);
        const decided = await decideAccess(db, subjectId, named);
        const roles = decided.map((role, index) => (mayAsk[index] ? role : null));
        return {
          results: resources.map((resource, index) => ({
            ...resource,
            hasAccess: Boolean(roles[index]),
            role: roles[index] ?? null,
          })),
        };
      },
    );
}

/**
 * Services may ask about any user; users about themselves, administrators about users of their
 * tenant, and owners about their resources.
 */
async function decideMayAsk(
  db: Database,
  caller: Caller,
  subjectId: string,
  resources: Resource[],
): Promise<boolean[]> {
  const all = (mayAsk: boolean) => resources.map(() => mayAsk);
  if (caller.kind === "service" || userId(caller) === subjectId) return all(true);
  if (
    administers(caller, "user:administer") &&
    (await tenantOf(db, subjectId)) === userOf(caller).clientId
  )
    return all(true);
  const own = await decideAccess(db, userId(caller), resources);
  return own.map((role) => isAtLeast(role, "owner"));
}

function othersAccess(): Forbidden {
  return new Forbidden(
    "others_access",
    "You may check your own access, and others' access to resources that you own. " +
      "Leave the others out.",
  );
}
