import { administers } from "../../../platform/http/guard.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { readPage, slicePage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { actorOf } from "../audit/record-event.ts";
import type { UserProfile } from "../contract.ts";
import { rolesContract as contract } from "../contract-roles.ts";
import {
  PERMISSION_NAMES,
  type PermissionName,
  PERMISSIONS,
  permissionsContract,
} from "../contract-permissions.ts";
import { getUser, getUserFor, unknownUser } from "../accounts/manage-users.ts";
import { userAccessContract } from "../contract-user-access.ts";
import { uuidOrNull } from "../user-id.ts";
import { findRolesOfGroups, listRoleSources } from "../groups/roles-of-groups.ts";
import { explainRolesOf, refuseStrongerChange } from "./refuse-stronger-roles.ts";
import { refuseTakingRoles } from "./refuse-stronger-users.ts";
import {
  type RoleDeps,
  changeRole,
  createRole,
  deleteRole,
  getRole,
  listRoles,
  permissionsOf,
} from "./manage-roles.ts";

export function rolesRoutes(routes: Routes, deps: RoleDeps): void {
  const { db } = deps;
  routes
    .on(contract.rolesOfUser, async ({ caller, params: { userId } }) => {
      const isOwn = caller.kind === "user" && caller.userId === userId;
      if (caller.kind === "user" && !isOwn && !administers(caller, "user:administer"))
        throw unknownUser();
      if (isOwn) return { userId, roles: [...caller.roles] };
      if (uuidOrNull(userId) === null) throw unknownUser();
      const user = await getUser(db, userId);
      if (caller.kind === "user" && caller.clientId !== user.clientId) throw unknownUser();
      return { userId, roles: await withGroups(db, user) };
    })
    .on(contract.rolesOfGroups, async ({ body }) => ({
      roles: await findRolesOfGroups(db, body),
    }))
    .on(contract.rolePermissions, async ({ caller, body: { roles } }) => {
      const asksForOthers =
        caller.kind === "user" &&
        !administers(caller, "role:administer") &&
        roles.some((role) => !caller.roles.includes(role));
      if (asksForOthers)
        throw new Forbidden(
          "others_roles",
          "You may only read the permissions of your own roles. Ask an administrator " +
            "for others.",
        );
      return { roles: await permissionsOf(db, roles) };
    })
    .on(permissionsContract.listPermissions, ({ query }) =>
      slicePage(query, PERMISSION_NAMES.map(toPermission)),
    )
    .on(userAccessContract.explainPermissions, async ({ caller, params }) => {
      const user = await getUserFor(db, caller, params.id);
      const rolesOfGroups = await listRoleSources(db, user.id, user.clientId);
      return { ...(await explainRolesOf(db, await withGroups(db, user))), rolesOfGroups };
    })
    .on(contract.listRoles, ({ query }) =>
      readPage(query, (limit, offset) => listRoles(db, limit, offset)),
    )
    .on(contract.createRole, async ({ caller, body }) => {
      await refuseStrongerChange(db, caller, body.name, body.permissions ?? []);
      return createRole(deps, actorOf(caller), body);
    })
    .on(contract.getRole, ({ params }) => getRole(db, params.name))
    .on(contract.changeRole, async ({ caller, params, body }) => {
      if (body.permissions)
        await refuseStrongerChange(db, caller, params.name, body.permissions);
      return changeRole(deps, actorOf(caller), params.name, body);
    })
    .on(contract.deleteRole, async ({ caller, params }) => {
      await refuseTakingRoles(db, caller, [params.name]);
      await deleteRole(deps, actorOf(caller), params.name);
    });
}

async function withGroups(
  db: RoleDeps["db"],
  { id: userId, clientId, roles }: UserProfile,
) {
  return [...roles, ...(await findRolesOfGroups(db, { userId, clientId, roles }))];
}

function toPermission(name: PermissionName) {
  const [resource = "", action = ""] = name.split(":");
  return { name, resource, action, description: PERMISSIONS[name] };
}
