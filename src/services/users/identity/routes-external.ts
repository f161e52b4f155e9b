import { userOf } from "../../../platform/http/caller.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import { actorOf } from "../audit/record-event.ts";
import { externalUsersContract as contract } from "../contract-external-users.ts";
import { deleteExternalUser } from "../user-deletion/delete-external-user.ts";
import { type ExternalUserDeps, listExternalUsers, setDisabled } from "./external-users.ts";

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
    .on(contract.changeExternalUser, ({ caller, params, body }) =>
      setDisabled(deps, {
        userId: params.userId,
        clientId: userOf(caller).clientId,
        disabled: body.disabled,
        actor: actorOf(caller),
      }),
    )
    .on(contract.deleteExternalUser, ({ caller, params, query }) =>
      deleteExternalUser(deps, {
        userId: params.userId,
        clientId: userOf(caller).clientId,
        transferTo: query.transferTo ?? null,
        actor: actorOf(caller),
      }),
    );
}
