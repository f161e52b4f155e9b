import type { Database } from "../../../platform/db/database.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { auditContract } from "../../users/contract-audit.ts";
import type { FlowDeps } from "../flows/find-flow.ts";
import { findGrantable } from "../flows/find-flow.ts";
import { noteGrantable } from "../flows/store.ts";
import { ensureFlowKey } from "./flow-keys.ts";
import { addPermission } from "./store.ts";

export interface PermissionDeps extends FlowDeps {
  users: Fetch;
  encryptionKey: string;
  log: Logger;
}

/**
 * Lets a user run a flow. His one key is made with his first flow, and holds all of them.
 * @throws NotFound `flow_not_found`; ApiError 500 where the provider or a sibling fails, as the requirements table it.
 */
export async function grantFlow(
  deps: PermissionDeps,
  { userId, flowId, grantedBy }: { userId: string; flowId: string; grantedBy: string },
  signal: AbortSignal,
): Promise<{ apiKey: string; message: string; created: boolean }> {
  const { db, provider } = deps;
  const flow = await tabled(() => findGrantable(deps, flowId, grantedBy, signal));
  const { apiKey, created, added } = await db.tx(async () => {
    await noteGrantable(db, provider.name, flow);
    const key = await ensureFlowKey(deps, userId);
    return {
      ...key,
      added: await addPermission(db, { provider: provider.name, userId, flowId, grantedBy }),
    };
  });
  await recordAudit(deps, grantedBy, "flow.granted", flowId, {
    userId,
    keyCreated: created,
    hadAlready: !added,
  });
  const message = created
    ? `A key was made for the user, and may run "${flow.name}".`
    : added
      ? `The user's key may run "${flow.name}" now.`
      : `The user's key could run "${flow.name}" already.`;
  return { apiKey, message, created };
}

/** Failures of others are 500 here, and nothing else. Source: requirements 3, tables of grant and revoke-group. */
export async function tabled<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && (error.status > 500 || error.status === 403))
      throw new ApiError(500, error.code, error.message, { cause: error });
    throw error;
  }
}

/** What was done stays done when it cannot be written down there: the grant itself names who gave it, and then the log tells. */
export async function recordAudit(
  { users, log }: { db: Database; users: Fetch; log: Logger },
  actorId: string,
  action: string,
  flowId: string,
  details: Record<string, unknown>,
): Promise<void> {
  const event = { actorId, action, resourceType: "flow", resourceId: flowId, details };
  await call(users, auditContract.recordAudit, { body: event }, { timeoutMs: 5_000 }).catch(
    (error: unknown) =>
      log.error(
        { err: error, event },
        "a change of permissions could not be written to the audit log",
      ),
  );
}
