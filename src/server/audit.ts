import { call, type Fetch } from "../platform/http/call.ts";
import { currentContext } from "../platform/http/context.ts";
import type { Auditor } from "../platform/http/guard.ts";
import { auditContract } from "../services/users/contract-audit.ts";
import { permissionsContract } from "../services/integrations/contract-permissions.ts";
import { usersContract } from "../services/users/contract.ts";

const ACTIONS = {
  get: "read",
  post: "create",
  put: "update",
  patch: "update",
  delete: "delete",
} as const;

/**
 * Writes down what administrators changed at any service. The users service records its own changes
 * in their transactions; grants of flows are recorded with what was granted. What was done stays
 * done when it cannot be written down: then the log tells.
 */
export function createAuditor(users: () => Fetch): Auditor {
  const recordedThere = new Set<unknown>([
    ...Object.values(usersContract),
    ...Object.values(permissionsContract),
  ]);
  return async (route, administrator, params) => {
    if (recordedThere.has(route) || route.method === "get") return;
    const [resource = "unknown"] = route.permission?.split(":") ?? [];
    const event = {
      actorId: administrator.userId,
      action: `${resource}.${ACTIONS[route.method]}`,
      resourceType: resource,
      resourceId: Object.values(params).join("/").slice(0, 500),
      details: { path: route.path },
    };
    await call(users(), auditContract.recordAudit, { body: event }, { timeoutMs: 5_000 }).catch(
      (error: unknown) =>
        currentContext()?.log.error(
          { err: error, event },
          "an action of an administrator could not be written to the audit log",
        ),
    );
  };
}
