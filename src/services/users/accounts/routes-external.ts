import { type User, userOf } from "../../../platform/http/caller.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import { actorOf } from "../audit/record-event.ts";
import { externalUsersContract as contract } from "../contract-external-users.ts";
import { deleteExternalUser } from "../user-deletion/delete-external-user.ts";
import { refuseOwnLimits, refuseStrongerUser } from "../roles/refuse-stronger-users.ts";
import { requireConfirmation } from "../sign-in/confirmation.ts";
import { type ExternalUserDeps, listExternalUsers, setDisabled } from "./external-users.ts";
import { standingOf } from "./known-users.ts";

interface Deps extends ExternalUserDeps {
  queue: Queue;
  confirmationMs: number;
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
    .on(contract.deleteExternalUser, async ({ caller, params, query, request }) => {
      const { userId } = params;
      const user = await refuseStronger(deps, userOf(caller), userId);
      if (user && query.transferTo !== undefined) {
        await refuseOwnLimits(deps.db, caller, user);
        await requireConfirmation(deps, userOf(caller), request);
      }
      await deleteExternalUser(deps, {
        userId,
        clientId: userOf(caller).clientId,
        transferTo: query.transferTo ?? null,
        actor: actorOf(caller),
      });
    });
}

/** Users of other tenants are refused as unknown by the change itself. */
async function refuseStronger({ db }: Deps, caller: User, userId: string) {
  const { clientId, roles } = await standingOf(db, userId);
  if (clientId !== caller.clientId) return undefined;
  const user = { id: userId, clientId, roles };
  await refuseStrongerUser(db, caller, user);
  return user;
}
