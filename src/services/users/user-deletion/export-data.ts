import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import type { ServiceName } from "../../../platform/service.ts";
import { PERSONAL_DATA } from "../contract-user-deletion.ts";
import { uuidOrNull } from "../user-id.ts";

interface Deps {
  db: Database;
  peer: (name: ServiceName) => Fetch;
}

interface Line {
  service: string;
  kind: string;
  data: unknown;
}

const PAGE_SIZE = 500;

/**
 * All data of a user, one JSON object per line, without passwords, keys and hashes. Reads the next
 * page when the client has taken the previous one.
 */
export function exportData(deps: Deps, userId: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const lines = readAll(deps, userId);
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

async function* readAll(
  { db, peer }: Deps,
  userId: string,
): AsyncGenerator<Line[], undefined> {
  for (const [kind, rows] of Object.entries(queriesOf(userId))) {
    for (let offset = 0; ; offset += PAGE_SIZE) {
      const page = await db.query(sql`${rows} limit ${PAGE_SIZE} offset ${offset}`);
      if (page.length > 0) yield page.map((data) => ({ service: "users", kind, data }));
      if (page.length < PAGE_SIZE) break;
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
      // the line shows that the file is incomplete
      yield [
        {
          service,
          kind: "missing",
          data: { reason: "This service did not respond. Export again later." },
        },
      ];
    }
  }
}

/** This service's data of a user by kind, each in a stable order. */
export function queriesOf(userId: string): Record<string, Sql> {
  const id = uuidOrNull(userId);
  return {
    profile: sql`select id, email, name, roles, client_id as "clientId", disabled,
      user_name as "userName", external_id as "externalId", scim, created_at as "createdAt" from users.users where id = ${id}::uuid`,
    identity: sql`select issuer, subject, groups, created_at as "createdAt",
      last_sign_in_at as "lastSignInAt" from users.identities
      where user_id = ${id}::uuid order by issuer, subject`,
    session: sql`select user_agent as "userAgent", created_at as "createdAt",
      last_used_at as "lastUsedAt", ended_at as "endedAt" from users.sessions
      where user_id = ${id}::uuid order by id`,
    apiKey: sql`select name, scopes, tools, created_at as "createdAt", last_used_at as "lastUsedAt"
      from users.api_keys where user_id = ${id}::uuid order by id`,
    mcpClient: sql`select client_id as "client", client_name as "name", scopes, tools,
      redirect_host as "redirectHost", created_at as "createdAt", last_used_at as "lastUsedAt"
      from users.mcp_grants where user_id = ${id}::uuid order by id`,
    group: sql`select groups.name from users.group_members member
      join users.groups on groups.id = member.group_id
      where member.user_id = ${userId} order by groups.id`,
    resource: sql`select type as "resourceType", resource_id as "resourceId",
      created_at as "createdAt" from users.features
      where owner_id = ${userId} order by id`,
    share: sql`select feature.type as "resourceType", feature.resource_id as "resourceId",
      subject_type as "subjectType",
      subject_id as "subjectId", access_role as "accessRole", share.created_at as "createdAt",
      revoked_at as "revokedAt"
      from users.shares share join users.features feature on feature.id = share.feature_id
      where subject = ${`user:${userId}`} or granted_by_user_id = ${userId} order by share.id`,
    mark: sql`select kind, resource_type as "resourceType", resource_id as "resourceId",
      created_at as "createdAt" from users.marks
      where user_id = ${userId} order by kind, resource_type, resource_id`,
    tag: sql`select tag, resource_type as "resourceType", resource_id as "resourceId"
      from users.tags
      where user_id = ${userId} order by resource_type, resource_id, tag`,
    preferences: sql`select value from users.preferences where user_id = ${userId}`,
    flowAccount: sql`select username, created_at as "createdAt" from users.flow_accounts
      where user_id = ${userId}`,
    audit: sql`select at, action, resource_type as "resourceType", resource_id as "resourceId",
      details from users.audit_events
      where actor_id = ${userId} order by id`,
  };
}
