import type { Database } from "../../../platform/db/database.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import type { User } from "../../../platform/http/caller.ts";
import { NotFound, ApiError, BadRequest } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { type AuditAction, auditContract } from "../../users/contract-audit.ts";
import { knownUsersContract } from "../../users/contract-known-users.ts";
import { findGrantable, type FlowDeps, notGrantable } from "../flows/find-flow.ts";
import { noteGrantable } from "../flows/store.ts";
import { ensureFlowKey } from "./flow-keys.ts";
import { addPermission } from "./store.ts";
import { allItems, type PageQuery } from "../../../platform/http/page.ts";
import { groupsContract } from "../../users/contract-groups.ts";

export interface PermissionDeps extends FlowDeps {
  users: Fetch;
  encryptionKey: string;
  log: Logger;
}

/**
 * Grants a flow to a user of the administrator's tenant. The first grant creates the user's only
 * key, which runs all granted flows. Flows of the operator's account can be granted in every
 * tenant, flows of users in their owner's tenant.
 * @throws NotFound `user_not_found` for unknown, disabled and deleted users, `flow_not_found`.
 */
export async function grantFlow(
  deps: PermissionDeps,
  { userId, flowId, admin }: { userId: string; flowId: string; admin: User },
  signal: AbortSignal,
): Promise<{ apiKey: string; message: string; created: boolean }> {
  const { db, provider } = deps;
  const { userId: grantedBy, clientId } = admin;
  if (!(await isOfTenant(deps.users, userId, clientId))) throw unknownUser();
  const flow = await findGrantable(deps, flowId, grantedBy, signal);
  const isOthers = flow.ownerId !== null && flow.ownerId !== grantedBy;
  if (isOthers && !(await isOfTenant(deps.users, flow.ownerId ?? "", clientId)))
    throw notGrantable();
  const { apiKey, created, added } = await db.tx(async () => {
    await noteGrantable(db, provider.name, flow);
    const key = await ensureFlowKey(deps, userId);
    return {
      ...key,
      added: await addPermission(db, {
        provider: provider.name,
        userId,
        clientId,
        flowId,
        grantedBy,
      }),
    };
  });
  await recordAudit(deps, grantedBy, "flow.granted", flowId, {
    userId,
    keyCreated: created,
    hadAlready: !added,
  });
  return { apiKey, message: toMessage(flow.name, { created, added }), created };
}

function toMessage(
  flow: string,
  { created, added }: { created: boolean; added: boolean },
): string {
  if (created) return `A key was made for the user, and may run "${flow}".`;
  if (added) return `The user's key may run "${flow}" now.`;
  return `The user's key could run "${flow}" already.`;
}

/** Whether the user is active and belongs to the tenant. */
async function isOfTenant(users: Fetch, userId: string, tenant: string): Promise<boolean> {
  const { active, clientId } = await call(
    users,
    knownUsersContract.standing,
    { params: { userId } },
    { timeoutMs: 5_000 },
  );
  return active && clientId === tenant;
}

function unknownUser(): NotFound {
  return new NotFound(
    "user_not_found",
    "This user does not exist. Users of another issuer are known from their first " +
      "request on: let them sign in once.",
  );
}

/** Records a change in the audit log, or in the log if the users service fails. */
export async function recordAudit(
  { users, log }: { db: Database; users: Fetch; log: Logger },
  actorId: string,
  action: AuditAction,
  flowId: string,
  details: Record<string, unknown>,
): Promise<void> {
  const event = { actorId, action, resourceType: "flow", resourceId: flowId, details };
  await call(users, auditContract.recordAudit, { body: event }, { timeoutMs: 5_000 }).catch(
    (error: unknown) =>
      log.error(
        { err: error, event },
        "a change of permissions could not be recorded in the audit log",
      ),
  );
}

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

const TIMEOUT_MS = 10_000;

/** Every user in a group of the tenant, in nested groups, and by claims. */
export async function membersOf(
  users: Fetch,
  clientId: string,
  id: string,
): Promise<string[]> {
  const members: string[] = [];
  try {
    const readOne = (page: PageQuery) =>
      call(
        users,
        groupsContract.listMembers,
        { params: { id }, query: { ...page, effective: "true", clientId } },
        { timeoutMs: TIMEOUT_MS },
      );
    for await (const { userId } of allItems(readOne)) members.push(userId);
  } catch (error) {
    const isUnknownGroup =
      error instanceof ApiError &&
      (error.status === 404 || error.code === "validation_failed");
    if (!isUnknownGroup)
      throw new ApiError(
        500,
        "group_lookup_failed",
        "The members of the group could not be read. Try again.",
        {
          cause: error,
        },
      );
  }
  if (members.length === 0)
    throw new BadRequest(
      "group_empty",
      "This group has no members, or does not exist. GET /api/v1/groups lists the groups.",
    );
  return members;
}
