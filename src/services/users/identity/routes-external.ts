import { type User, userOf } from "../../../platform/http/caller.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import { actorOf } from "../audit/record-event.ts";
import { externalUsersContract as contract } from "../contract-external-users.ts";
import { deleteExternalUser } from "../user-deletion/delete-external-user.ts";
import { refuseStrongerUser } from "../roles/refuse-stronger-users.ts";
import { type ExternalUserDeps, listExternalUsers, setDisabled } from "./external-users.ts";
import { standingOf } from "./known-users.ts";

interface Deps extends ExternalUserDeps {
  queue: Queue;
}

/**
 * Administration of users of another token issuer. The issuer signs them in; here they can be shut
 * out before their tokens expire, with the keys and grants that no token limits.
 */
export function externalUserRoutes(routes: Routes, deps: Deps): void {
  routes
    .on(contract.listExternalUsers, async ({ caller, query }) => {
      const { clientId } = userOf(caller);
      const page = await listExternalUsers(deps.db, clientId, query);
      return { ...page, page: query.page, limit: query.limit };
    })
    .on(contract.changeExternalUser, async ({ caller, params: { userId }, body }) => {
      await refuseStronger(deps, userOf(caller), userId);
      return setDisabled(deps, {
        userId,
        clientId: userOf(caller).clientId,
        disabled: body.disabled,
        actor: actorOf(caller),
      });
    })
    .on(contract.deleteExternalUser, async ({ caller, params: { userId }, query }) => {
      await refuseStronger(deps, userOf(caller), userId);
      await deleteExternalUser(deps, {
        userId,
        clientId: userOf(caller).clientId,
        transferTo: query.transferTo ?? null,
        actor: actorOf(caller),
      });
    });
}

/** Users of other tenants are refused as unknown by the change itself. */
async function refuseStronger({ db }: Deps, caller: User, userId: string): Promise<void> {
  const { clientId, roles } = await standingOf(db, userId);
  if (clientId === caller.clientId)
    await refuseStrongerUser(db, caller, { id: userId, clientId, roles });
}
