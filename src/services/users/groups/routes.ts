import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import {
  type Group,
  type GroupChange,
  groupsContract as contract,
} from "../contract-groups.ts";
import { userAccessContract } from "../contract-user-access.ts";
import { standingOf } from "../accounts/known-users.ts";
import { getUserFor } from "../accounts/manage-users.ts";
import { type ChangeDeps, createGroupChanges, tenantOf } from "./change-group.ts";
import {
  addMember,
  deleteGroup,
  type GroupLimits,
  nestGroup,
  removeMember,
  unnestGroup,
} from "./change-members.ts";
import {
  findGroup,
  insertGroup,
  listGroups,
  listNested,
  updateGroup,
} from "./groups-store.ts";
import { refuseStrongerRoles } from "../roles/refuse-stronger-roles.ts";
import { refuseStrongerUser, refuseTakingRoles } from "../roles/refuse-stronger-users.ts";
import { listGroupsOfUser, listMembers } from "./list-members.ts";
import { rolesOfMembers } from "./roles-of-groups.ts";

interface Deps extends GroupLimits, ChangeDeps {
  maxGroups: number;
}

/** Groups, their members and the groups in them. */
export function groupsRoutes(routes: Routes, deps: Deps): void {
  ownRoutes(routes, deps);
  memberRoutes(routes, deps);
  nestingRoutes(routes, deps);
}

function ownRoutes(routes: Routes, deps: Deps): void {
  const { db } = deps;
  const { create, change } = createGroupChanges(deps);
  routes
    .on(contract.listGroups, ({ caller, query }) =>
      listGroups(db, tenantOf(caller) ?? "", query),
    )
    .on(contract.createGroup, ({ caller, body }) =>
      create(caller, body, async () => {
        await refuseStrongerRoles(db, caller, body.roles ?? []);
        return insertGroup(deps, tenantOf(caller) ?? "default", body);
      }),
    )
    .on(contract.getGroup, ({ caller, params }) =>
      findGroup(db, params.id, tenantOf(caller)),
    )
    .on(contract.changeGroup, ({ caller, params, body }) =>
      change(caller, params.id, "group.changed", body, async (group) => {
        await refuseStrongerRoles(db, caller, await newRoles(db, group, body));
        await refuseTakingRoles(db, caller, await lostRoles(db, group, body));
        return updateGroup(db, params.id, body);
      }),
    )
    .on(contract.deleteGroup, ({ caller, params }) =>
      change(caller, params.id, "group.deleted", {}, async () => {
        await refuseTakingRoles(db, caller, await rolesOfMembers(db, params.id));
        await deleteGroup(db, params.id);
      }),
    );
}

function memberRoutes(routes: Routes, deps: Deps): void {
  const { db } = deps;
  const { change } = createGroupChanges(deps);
  routes
    .on(contract.listMembers, async ({ caller, params, query }) => {
      await findGroup(db, params.id, tenantOf(caller) ?? query.clientId);
      return listMembers(db, params.id, query);
    })
    .on(userAccessContract.listGroupsOfUser, async ({ caller, params, query }) => {
      await getUserFor(db, caller, params.id);
      return listGroupsOfUser(db, params.id, query);
    })
    .on(contract.addMember, ({ caller, params: { id, userId } }) =>
      change(caller, id, "group.member_added", { userId }, async () => {
        await refuseStrongerMember(db, caller, userId);
        await refuseStrongerRoles(db, caller, await rolesOfMembers(db, id));
        await addMember(deps, id, userId);
      }),
    )
    .on(contract.removeMember, ({ caller, params: { id, userId } }) =>
      change(caller, id, "group.member_removed", { userId }, async () => {
        await refuseStrongerMember(db, caller, userId);
        await refuseTakingRoles(db, caller, await rolesOfMembers(db, id));
        await removeMember(db, id, userId);
      }),
    );
}

/** Users of other tenants, and unknown ones, are refused by the change itself. */
async function refuseStrongerMember(db: Database, caller: Caller, userId: string) {
  const { clientId, roles } = await standingOf(db, userId);
  if (clientId !== null && clientId === tenantOf(caller))
    await refuseStrongerUser(db, caller, { id: userId, clientId, roles });
}

function nestingRoutes(routes: Routes, deps: Deps): void {
  const { db } = deps;
  const { change } = createGroupChanges(deps);
  routes
    .on(contract.listNested, async ({ caller, params, query }) => {
      await findGroup(db, params.id, tenantOf(caller));
      return listNested(db, params.id, query);
    })
    .on(contract.nestGroup, ({ caller, params: { id, groupId } }) =>
      change(caller, id, "group.nested", { groupId }, async () => {
        await findGroup(db, groupId, tenantOf(caller));
        await refuseStrongerRoles(db, caller, await rolesOfMembers(db, id));
        await nestGroup(db, id, groupId);
      }),
    )
    .on(contract.unnestGroup, ({ caller, params: { id, groupId } }) =>
      change(caller, id, "group.unnested", { groupId }, async () => {
        await refuseTakingRoles(db, caller, await rolesOfMembers(db, id));
        await unnestGroup(db, id, groupId);
      }),
    );
}

/** The roles that a change gives to somebody: another name at the provider brings members. */
async function newRoles(
  db: Database,
  group: Group,
  { roles, externalName }: z.output<typeof GroupChange>,
): Promise<string[]> {
  const added = roles?.filter((role) => !group.roles.includes(role)) ?? [];
  const bringsMembers =
    externalName !== undefined &&
    externalName !== null &&
    externalName !== group.externalName;
  return bringsMembers ? [...added, ...(await rolesOfMembers(db, group.id))] : added;
}

/** The roles that a change takes from somebody: another name at the provider loses members. */
async function lostRoles(
  db: Database,
  group: Group,
  { roles, externalName = group.externalName }: z.output<typeof GroupChange>,
): Promise<string[]> {
  const losesMembers = group.externalName !== null && externalName !== group.externalName;
  if (losesMembers) return rolesOfMembers(db, group.id);
  return roles ? group.roles.filter((role) => !roles.includes(role)) : [];
}
