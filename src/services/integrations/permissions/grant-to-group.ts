import type { User } from "../../../platform/http/caller.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { grantFlow, type PermissionDeps } from "./grant-flow.ts";
import { membersOf } from "./group-members.ts";

/** At once; each asks the users service and the provider. */
const CONCURRENT_GRANTS = 8;

/**
 * Grants a flow to each member of a group. Members who are disabled or deleted get nothing. Who
 * joins later gets nothing by itself.
 * @throws BadRequest `group_empty`; NotFound `flow_not_found`.
 */
export async function grantToGroup(
  deps: PermissionDeps,
  { groupId, flowId, admin }: { groupId: string; flowId: string; admin: User },
  signal: AbortSignal,
): Promise<{ members: number; refused: number }> {
  const userIds = [...new Set(await membersOf(deps.users, admin.clientId, groupId))];
  const waiting = [...userIds];
  let refused = 0;
  const grantNext = async () => {
    for (let userId = waiting.pop(); userId !== undefined; userId = waiting.pop()) {
      try {
        await grantFlow(deps, { userId, flowId, admin }, signal);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === "user_not_found")) throw error;
        refused += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_GRANTS }, grantNext));
  return { members: userIds.length - refused, refused };
}
