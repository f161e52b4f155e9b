import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { AuditAction } from "../contract-audit.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { currentContext } from "../../../platform/http/context.ts";
import { uuidOrNull } from "../user-id.ts";

export interface AuditEvent {
  action: AuditAction;
  resourceType: string;
  resourceId: string;
  /** The tenant whose administrators read the event. Default: the tenant of the actor. */
  clientId?: string | undefined;
  /** What changed, without secrets. */
  details?: Record<string, unknown>;
}

/**
 * Records who did what to which resource. Called in the transaction of the action, so that neither
 * is stored without the other.
 */
export async function recordEvent(
  db: Database,
  actor: string,
  { action, resourceType, resourceId, clientId, details = {} }: AuditEvent,
): Promise<void> {
  // a token first: a user of another issuer might have its name as an id
  const tenantOfActor = sql`
    (select client_id from users.scim_tokens where id = ${scimTokenOf(actor)}::uuid),
    (select client_id from users.known_users where id = ${actor})`;
  const tenant = sql`coalesce(${clientId ?? null}, ${tenantOfActor}, 'default')`;
  await db.query(sql`
    insert into users.audit_events
      (id, client_id, actor_id, action, resource_type, resource_id, details, request_id)
    values (${uuidv7()}, ${tenant}, ${actor}, ${action}, ${resourceType}, ${resourceId},
      ${jsonb(details)}, ${currentContext()?.requestId ?? null})`);
}

/** How the audit log names a caller. */
export function actorOf(caller: Caller): string {
  if (caller.kind === "scim") return `${SCIM_ACTOR}${caller.tokenId}`;
  return caller.kind === "user" ? caller.userId : caller.kind;
}

const SCIM_ACTOR = "scim:";

function scimTokenOf(actor: string): string | null {
  return actor.startsWith(SCIM_ACTOR) ? uuidOrNull(actor.slice(SCIM_ACTOR.length)) : null;
}
