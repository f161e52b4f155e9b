import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import { type Caller, userOf } from "../../../platform/http/caller.ts";
import type { Guard } from "../../../platform/http/guard.ts";
import { readPage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { actorOf, recordEvent } from "../audit/record-event.ts";
import type { AuditAction } from "../contract-audit.ts";
import { joinLabels } from "../contract-judge-labels.ts";
import {
  type Label,
  LABELS_CHANGED,
  labelsContract as contract,
} from "../contract-labels.ts";
import { nameSource } from "../sharing/name-sources.ts";
import { groupsOfUser, isAnyInUse, labelsById, labelsOf } from "./in-effect.ts";
import { type Asker, carryLabels, labelsOn, setLabels } from "./on-resource.ts";
import { insertLabel, listLabels, removeLabel, updateLabel } from "./store.ts";

interface Deps {
  db: Database;
  cache: Cache;
  guard: Guard;
}

export function labelsRoutes(routes: Routes, deps: Deps): void {
  const { db } = deps;
  definitionRoutes(routes, deps);
  routes
    .on(contract.labelsOn, async ({ caller, params }) =>
      labelsOn(db, await askerOf(deps, caller), await nameSource(db, params)),
    )
    .on(contract.setLabels, async ({ caller, params, body }) => {
      const asker = await askerOf(deps, caller);
      const resource = await nameSource(db, params);
      const set = await setLabels(db, asker, resource, body.labelIds);
      await announce(deps);
      return set;
    })
    .on(contract.labelsInUse, async () => ({ inUse: await isAnyInUse(db) }))
    .on(contract.labelsOf, async ({ body: { resources, labelIds, userId } }) => {
      const labels = joinLabels(
        await labelsOf(db, resources),
        await labelsById(db, labelIds ?? []),
      );
      const named = new Set(labels.flatMap(({ sharing }) => sharing ?? []));
      const groups =
        userId === undefined || named.size === 0 ? [] : await groupsOfUser(db, userId);
      return { labels, groups: groups.filter((id) => named.has(id)) };
    })
    .on(contract.carryLabels, async ({ body: { resource, labelIds } }) => {
      await carryLabels(db, resource, labelIds);
    });
}

function definitionRoutes(routes: Routes, { db }: Deps): void {
  const recorded = (caller: Caller, action: AuditAction, work: () => Promise<Label>) =>
    db.tx(async () => {
      const label = await work();
      const { id, createdAt: _, updatedAt: __, ...details } = label;
      await recordEvent(db, actorOf(caller), {
        action,
        resourceType: "label",
        resourceId: id,
        details,
      });
      return label;
    });
  routes
    .on(contract.listLabels, ({ caller, query }) =>
      readPage(query, (limit, offset) =>
        listLabels(db, userOf(caller).clientId, limit, offset),
      ),
    )
    .on(contract.createLabel, ({ caller, body }) =>
      recorded(caller, "label.created", () =>
        insertLabel(db, userOf(caller).clientId, body),
      ),
    )
    .on(contract.changeLabel, ({ caller, params, body }) =>
      recorded(caller, "label.changed", () =>
        updateLabel(db, userOf(caller).clientId, params.id, body),
      ),
    )
    .on(contract.deleteLabel, async ({ caller, params }) => {
      await recorded(caller, "label.deleted", () =>
        removeLabel(db, userOf(caller).clientId, params.id),
      );
    });
}

async function askerOf({ guard }: Deps, caller: Caller): Promise<Asker> {
  const user = userOf(caller);
  return { user, administers: await guard.allows("label:administer", user) };
}

/** Processes that saw nothing labelled look again. */
async function announce({ cache }: Deps): Promise<void> {
  await cache.publish(LABELS_CHANGED, "");
}
