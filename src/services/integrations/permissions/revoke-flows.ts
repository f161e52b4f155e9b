import type { User } from "../../../platform/http/caller.ts";
import type { Revocation, RevocationResult } from "../contract-permissions.ts";
import type { RunningFlows } from "../flows/running-flows.ts";
import { type PermissionDeps, recordAudit, membersOf } from "./grant-flow.ts";
import { removePermissions } from "./store.ts";

/**
 * Revokes flows from users, each flow separately: neither a failure nor a user without access stops
 * the others. Effective from the next request; running flows end. Keys stay.
 * @throws BadRequest `group_empty`, ApiError 500 `group_lookup_failed`.
 */
export async function revokeFlows(
  deps: PermissionDeps & { running: RunningFlows },
  revocation: Revocation,
  { userId: adminId, clientId }: User,
): Promise<RevocationResult> {
  const users = [
    ...new Set(
      "userIds" in revocation
        ? revocation.userIds
        : await membersOf(deps.users, clientId, revocation.groupId),
    ),
  ];
  const flows = [
    ...new Set("flowIds" in revocation ? revocation.flowIds : [revocation.flowId]),
  ];
  const group = "groupId" in revocation ? { groupId: revocation.groupId } : {};
  const results: RevocationResult["results"] = [];
  for (const flowId of flows) {
    const lost = new Set(await revoke(deps, clientId, users, flowId));
    if (lost.size > 0)
      await recordAudit(deps, adminId, "flow.revoked", flowId, {
        userIds: [...lost],
        ...group,
      });
    const userResults = users.map((userId) => ({ userId, success: lost.has(userId) }));
    results.push({ flowId, success: lost.size > 0, userResults });
  }
  const removed = results
    .flatMap(({ userResults }) => userResults)
    .filter(({ success }) => success).length;
  const pairs = users.length * flows.length;
  return {
    success: removed > 0,
    message: `${removed} of ${pairs} permissions were removed.`,
    results,
  };
}

async function revoke(
  { db, provider, running, log }: PermissionDeps & { running: RunningFlows },
  clientId: string,
  users: readonly string[],
  flowId: string,
): Promise<string[]> {
  try {
    const lost = await removePermissions(db, provider.name, clientId, users, flowId);
    // new requests are refused already; a failing cache must not fail the revocation
    if (lost.length > 0)
      await running
        .revoked(lost, flowId)
        .catch((error: unknown) =>
          log.warn({ err: error, flowId }, "ending the runs of a revoked flow failed"),
        );
    return lost;
  } catch (error) {
    log.error({ err: error, flowId }, "removing permissions failed");
    return [];
  }
}
