import type { Revocations } from "../../../platform/auth/revocations.ts";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { actorOf, recordEvent } from "../audit/record-event.ts";
import {
  type Group,
  type GroupChange,
  groupsContract as contract,
} from "../contract-groups.ts";
import { userAccessContract } from "../contract-user-access.ts";
import { getUserFor } from "../identity/manage-users.ts";
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
import { listGroupsOfUser, listMembers } from "./list-members.ts";
import { announcingRoles, rolesOfMembers } from "./roles-of-groups.ts";

interface Deps extends GroupLimits {
  db: Database;
  /** This process's copy, refreshed before a request that changes roles returns. */
  revocations: Pick<Revocations, "refresh">;
  maxGroups: number;
}

export function groupsRoutes(routes: Routes, deps: Deps): void {
  const { db } = deps;
  /** Runs a change in a transaction; new roles of members apply from the next request on. */
  const inTransaction = async <T>(work: () => Promise<T>) => {
    const result = await db.tx(() => announcingRoles(db, work));
    await deps.revocations.refresh();
    return result;
  };
  /** Changes a group of the caller's organisation and records it in the audit log. */
  const change = <T>(
    caller: Caller,
    id: string,
    action: string,
    details: Record<string, unknown>,
    work: (group: Group) => Promise<T>,
  ) =>
    inTransaction(async () => {
      const result = await work(await findGroup(db, id, tenantOf(caller)));
      await recordEvent(db, actorOf(caller), {
        action,
        resourceType: "group",
        resourceId: id,
        details,
      });
      return result;
    });
  routes
    .on(contract.listGroups, ({ caller, query }) =>
      listGroups(db, tenantOf(caller) ?? "", query),
    )
    .on(contract.createGroup, ({ caller, body }) =>
      inTransaction(async () => {
        await refuseStrongerRoles(db, caller, body.roles ?? []);
        const group = await insertGroup(deps, tenantOf(caller) ?? "default", body);
        await recordEvent(db, actorOf(caller), {
          action: "group.created",
          resourceType: "group",
          resourceId: group.id,
          details: body,
        });
        return group;
      }),
    )
    .on(contract.getGroup, ({ caller, params }) =>
      findGroup(db, params.id, tenantOf(caller)),
    )
    .on(contract.changeGroup, ({ caller, params, body }) =>
      change(caller, params.id, "group.changed", body, async (group) => {
        await refuseStrongerRoles(db, caller, await newRoles(db, group, body));
        return updateGroup(db, params.id, body);
      }),
    )
    .on(contract.deleteGroup, ({ caller, params }) =>
      change(caller, params.id, "group.deleted", {}, () => deleteGroup(db, params.id)),
    )
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
        await refuseStrongerRoles(db, caller, await rolesOfMembers(db, id));
        await addMember(deps, id, userId);
      }),
    )
    .on(contract.removeMember, ({ caller, params: { id, userId } }) =>
      change(caller, id, "group.member_removed", { userId }, () =>
        removeMember(db, id, userId),
      ),
    )
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
      change(caller, id, "group.unnested", { groupId }, () => unnestGroup(db, id, groupId)),
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

function tenantOf(caller: Caller): string | undefined {
  return caller.kind === "user" ? caller.clientId : undefined;
}
