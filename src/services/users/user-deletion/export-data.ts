import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import type { ServiceName } from "../../../platform/service.ts";
import { PERSONAL_DATA } from "../contract-user-deletion.ts";
import { uuidOrNull } from "../sharing/decide-access.ts";

interface Deps {
  db: Database;
  peer: (name: ServiceName) => Fetch;
}

interface Line {
  service: string;
  kind: string;
  data: unknown;
}

const PAGE = 500;

/**
 * All that is held of a person, one JSON object a line, as fast as the reader takes it. Passwords,
 * keys and hashes are not in it.
 */
export function exportData(deps: Deps, userId: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const lines = everything(deps, userId);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else
        controller.enqueue(
          encoder.encode(value.map((line) => `${JSON.stringify(line)}\n`).join("")),
        );
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

async function* everything({ db, peer }: Deps, userId: string): AsyncGenerator<Line[], undefined> {
  for (const [kind, rows] of Object.entries(heldHere(userId))) {
    for (let offset = 0; ; offset += PAGE) {
      const page = await db.query(sql`${rows} limit ${PAGE} offset ${offset}`);
      if (page.length > 0) yield page.map((data) => ({ service: "users", kind, data }));
      if (page.length < PAGE) break;
    }
  }
  for (const [service, route] of Object.entries(PERSONAL_DATA)) {
    try {
      let after: string | undefined;
      do {
        const query = after === undefined ? {} : { after };
        // keys of PERSONAL_DATA are names of services
        const { records, next } = await call(peer(service as ServiceName), route, {
          params: { userId },
          query,
        });
        if (records.length > 0) yield records.map((record) => ({ service, ...record }));
        after = next ?? undefined;
      } while (after !== undefined);
    } catch {
      // a file that is silent about what it lacks would pass for whole
      yield [
        {
          service,
          kind: "missing",
          data: { reason: "This service could not be asked. Export again later." },
        },
      ];
    }
  }
}

/** What this service holds, by kind, each in an order that is the same at every page. */
function heldHere(userId: string): Record<string, Sql> {
  const id = uuidOrNull(userId);
  return {
    profile: sql`select id, email, name, roles, client_id as "clientId", disabled, created_at as "createdAt" from users.users where id = ${id}::uuid`,
    identity: sql`select issuer, subject, groups, created_at as "createdAt", last_sign_in_at as "lastSignInAt" from users.identities
      where user_id = ${id}::uuid order by issuer, subject`,
    session: sql`select created_at as "createdAt", ended_at as "endedAt" from users.sessions where user_id = ${id}::uuid order by id`,
    apiKey: sql`select name, scopes, created_at as "createdAt", last_used_at as "lastUsedAt" from users.api_keys where user_id = ${id}::uuid order by id`,
    group: sql`select groups.name from users.group_members member join users.groups on groups.id = member.group_id
      where member.user_id = ${userId} order by groups.id`,
    resource: sql`select type as "resourceType", resource_id as "resourceId", created_at as "createdAt" from users.features
      where owner_id = ${userId} order by id`,
    share: sql`select feature.type as "resourceType", feature.resource_id as "resourceId", subject_type as "subjectType",
      subject_id as "subjectId", access_role as "accessRole", share.created_at as "createdAt", revoked_at as "revokedAt"
      from users.shares share join users.features feature on feature.id = share.feature_id
      where subject = ${`user:${userId}`} or granted_by_user_id = ${userId} order by share.id`,
    mark: sql`select kind, resource_type as "resourceType", resource_id as "resourceId", created_at as "createdAt" from users.marks
      where user_id = ${userId} order by kind, resource_type, resource_id`,
    tag: sql`select tag, resource_type as "resourceType", resource_id as "resourceId" from users.tags
      where user_id = ${userId} order by resource_type, resource_id, tag`,
    preferences: sql`select value from users.preferences where user_id = ${userId}`,
    flowAccount: sql`select username, created_at as "createdAt" from users.flow_accounts where user_id = ${userId}`,
    audit: sql`select at, action, resource_type as "resourceType", resource_id as "resourceId", details from users.audit_events
      where actor_id = ${userId} order by id`,
  };
}
