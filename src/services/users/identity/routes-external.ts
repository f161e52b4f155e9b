import { userOf } from "../../../platform/http/caller.ts";
import { readPage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { actorOf } from "../audit/record-event.ts";
import { externalUsersContract as contract } from "../contract-external-users.ts";
import { type ExternalUserDeps, listExternalUsers, setDisabled } from "./external-users.ts";

/**
 * Administration of users of another token issuer. The issuer signs them in; here they can be shut
 * out before their tokens expire, with the keys and grants that no token limits.
 */
export function externalUserRoutes(routes: Routes, deps: ExternalUserDeps): void {
  routes
    .on(contract.listExternalUsers, ({ caller, query }) =>
      readPage(query, (limit, offset) =>
        listExternalUsers(deps.db, userOf(caller).clientId, limit, offset),
      ),
    )
    .on(contract.changeExternalUser, ({ caller, params, body }) =>
      setDisabled(deps, {
        userId: params.userId,
        clientId: userOf(caller).clientId,
        disabled: body.disabled,
        actor: actorOf(caller),
      }),
    );
}
