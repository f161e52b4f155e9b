import { type Caller, userOf } from "../../../platform/http/caller.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import { json } from "../../../platform/http/respond.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { eventStream } from "../../../platform/http/stream.ts";
import { flowsContract } from "../contract-flows.ts";
import { permissionsContract } from "../contract-permissions.ts";
import { healthFor } from "../health.ts";
import { getFlowKey } from "../permissions/flow-keys.ts";
import { grantFlow, type PermissionDeps, grantToGroup } from "../permissions/grant-flow.ts";
import { listGrantable } from "../permissions/list-grantable.ts";
import { revokeFlows } from "../permissions/revoke-flows.ts";
import { flowsOfUser, listPermissions } from "../permissions/store.ts";
import type { FlowUser } from "./find-flow.ts";
import { createFlow, getFlow, listFlows } from "./list-flows.ts";
import { type FlowRunDeps, runFlow, wholeResult } from "./run-flow.ts";

type Deps = FlowRunDeps & PermissionDeps;

/** The flow provider's routes, served only if it is configured. */
export function flowRoutes(routes: Routes, deps: Deps): void {
  const { db, provider, accounts } = deps;
  routes
    .on(flowsContract.listFlows, ({ query, caller, signal }) =>
      listFlows(deps, userOf(caller).userId, query, signal),
    )
    .on(flowsContract.createFlow, ({ body, caller, signal }) =>
      createFlow(deps, userOf(caller).userId, body, signal),
    )
    .on(flowsContract.getFlow, ({ params, query, caller, signal }) =>
      getFlow(deps, flowUser(caller, query.userId), params.flowId, signal),
    )
    .on(flowsContract.runFlow, async ({ params, body, caller, signal }) => {
      const events = await runFlow(
        deps,
        flowUser(caller, body.userId),
        params.flowId,
        body,
        signal,
      );
      return body.stream ? eventStream(events) : wholeResult(events);
    })
    .on(flowsContract.refreshTokens, async ({ caller, signal }) => {
      const { tokens, refreshed } = await accounts.refreshTokens(
        provider,
        userOf(caller).userId,
        signal,
      );
      return {
        provider: provider.name,
        expiresAt: new Date(tokens.expiresAt).toISOString(),
        refreshed,
      };
    })
    .on(flowsContract.flowProviderHealth, ({ caller }) => healthFor(caller, provider))
    .on(flowsContract.getFlowKey, async ({ caller }) => {
      const { userId } = userOf(caller);
      return {
        ...(await getFlowKey(deps, userId)),
        flows: await flowsOfUser(db, provider.name, userId),
      };
    });
  permissionRoutes(routes, deps);
}

function permissionRoutes(routes: Routes, deps: Deps): void {
  const { db, provider } = deps;
  routes
    .on(permissionsContract.grantFlow, async ({ body, caller, signal }) => {
      const { created, ...answer } = await grantFlow(
        deps,
        { ...body, admin: userOf(caller) },
        signal,
      );
      return json(answer, created ? 201 : 200);
    })
    .on(permissionsContract.grantFlowToGroup, ({ body, caller, signal }) =>
      grantToGroup(deps, { ...body, admin: userOf(caller) }, signal),
    )
    .on(permissionsContract.listGrantableFlows, ({ query, caller, signal }) =>
      listGrantable(deps, userOf(caller), query, signal),
    )
    .on(permissionsContract.revokeFlows, ({ body, caller }) =>
      revokeFlows(deps, body, userOf(caller)),
    )
    .on(permissionsContract.listPermissions, ({ caller, query }) =>
      listPermissions(db, provider.name, { ...query, clientId: userOf(caller).clientId }),
    );
}

/**
 * The user of a request: services name the user, users act for themselves.
 * @throws BadRequest `user_id_required`, `user_id_not_permitted`.
 */
function flowUser(caller: Caller, userId: string | undefined): FlowUser {
  if (caller.kind === "service") {
    if (userId === undefined)
      throw new BadRequest("user_id_required", "Name the user in `userId`.");
    return { userId, byKey: false };
  }
  const user = userOf(caller);
  if (userId !== undefined && userId !== user.userId)
    throw new BadRequest(
      "user_id_not_permitted",
      "Only services may name another user. Leave `userId` out.",
    );
  return { userId: user.userId, byKey: user.via === "flow-key" };
}
