import { call, type Fetch } from "../platform/http/call.ts";
import { currentContext } from "../platform/http/context.ts";
import type { Auditor } from "../platform/http/guard.ts";
import { auditContract } from "../services/users/contract-audit.ts";
import { permissionsContract } from "../services/integrations/contract-permissions.ts";
import { usersContract } from "../services/users/contract.ts";
import { describeChange } from "./describe-change.ts";

const ACTIONS = {
  get: "read",
  post: "create",
  put: "update",
  patch: "update",
  delete: "delete",
} as const;

/**
 * Writes every change that an administrator makes at any service to the audit log. The users
 * service and the grants of flows write their own entries in the same transaction. When an entry
 * cannot be written, the change stays, and the entry goes to the process log.
 */
export function createAuditor(users: () => Fetch): Auditor {
  const recordedByService = new Set<unknown>([
    ...Object.values(usersContract),
    ...Object.values(permissionsContract),
  ]);
  return async (route, administrator, change) => {
    if (recordedByService.has(route) || route.method === "get") return;
    const [resource = "unknown"] = route.permission?.split(":") ?? [];
    const event = {
      actorId: administrator.userId,
      action: `${resource}.${ACTIONS[route.method]}`,
      resourceType: resource,
      ...describeChange(route, change),
    };
    await call(
      users(),
      auditContract.recordAudit,
      { body: event },
      { timeoutMs: 5_000 },
    ).catch((error: unknown) =>
      currentContext()?.log.error(
        { err: error, event },
        "could not write an administrator's action to the audit log",
      ),
    );
  };
}
