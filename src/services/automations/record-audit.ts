import { call, type Fetch } from "../../platform/http/call.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { type AuditAction, auditContract } from "../users/contract-audit.ts";

export interface AuditDeps {
  users: Fetch;
  log: Logger;
}

/** Records a change of a rule in the audit log, or in the log if the users service fails. */
export async function recordAudit(
  { users, log }: AuditDeps,
  actorId: string,
  action: "created" | "changed" | "deleted",
  { id, details }: { id: number; details: Record<string, unknown> },
): Promise<void> {
  const body = {
    actorId,
    action: `automation.rule_${action}` satisfies AuditAction,
    resourceType: "automation",
    resourceId: String(id),
    details,
  };
  await call(users, auditContract.recordAudit, { body }, { timeoutMs: 5_000 }).catch(
    (error: unknown) =>
      log.error(
        { err: error, event: body },
        "a change of a rule could not be recorded in the audit log",
      ),
  );
}
