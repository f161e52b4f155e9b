import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { currentContext } from "../../../platform/http/context.ts";

export interface AuditEvent {
  /** `noun.verb`, for example `share.created`. */
  action: string;
  resourceType: string;
  resourceId: string;
  /** Whose administrators read it. Default: the tenant of the actor. */
  clientId?: string | undefined;
  /** What changed; never a secret. */
  details?: Record<string, unknown>;
}

/**
 * Who did what to which resource. Called in the transaction of the deed, so that neither is there
 * without the other.
 */
export async function recordEvent(
  db: Database,
  actor: string,
  { action, resourceType, resourceId, clientId, details = {} }: AuditEvent,
): Promise<void> {
  await db.query(sql`insert into users.audit_events (id, client_id, actor_id, action, resource_type, resource_id, details, request_id)
    values (${uuidv7()}, coalesce(${clientId ?? null}, (select client_id from users.known_users where id = ${actor}), 'default'), ${actor}, ${action}, ${resourceType}, ${resourceId}, ${jsonb(details)},
      ${currentContext()?.requestId ?? null})`);
}

/** How the audit log names a caller. */
export function actorOf(caller: Caller): string {
  return caller.kind === "user" ? caller.userId : caller.kind;
}
