import sql, { type Sql } from "sql-template-tag";
import { csvLine } from "../../../platform/csv-line.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { AuditEntry, AuditFilter } from "../contract-audit.ts";

interface Row extends Omit<AuditEntry, "at"> {
  at: Date;
}

const nameOfUser = (id: Sql) => sql`(select name from users.known_users known
  where known.id = ${id} and known.client_id = audit_events.client_id
  and known.state <> 'deleted')`;
const nameOfGroup = (id: Sql) => sql`(select name from users.groups known
  where known.id = case when ${id} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  then (${id})::uuid end and known.client_id = audit_events.client_id)`;
const RESOURCE_NAME = sql`coalesce(
  case resource_type when 'user' then ${nameOfUser(sql`resource_id`)}
    when 'group' then ${nameOfGroup(sql`resource_id`)} end,
  details->>'displayName', details->>'name')`;
const OTHER_NAME = sql`coalesce(
  ${nameOfUser(sql`coalesce(details->>'userId', details->>'subjectId')`)},
  ${nameOfGroup(sql`coalesce(details->>'groupId', details->>'subjectId')`)})`;
const COLUMNS = sql`id, at, actor_id as "actorId", 
  coalesce((select name from users.scim_tokens token
    where starts_with(actor_id, 'scim:') and 'scim:' || token.id = actor_id
      and token.client_id = audit_events.client_id),
    (select name from users.known_users known
    where known.id = actor_id and known.state <> 'deleted'))
    as "actorName",
  action, resource_type as "resourceType", resource_id as "resourceId",
  ${RESOURCE_NAME} as "resourceName", ${OTHER_NAME} as "otherName", details,
  request_id as "requestId"`;
type TenantFilter = AuditFilter & { clientId: string };

const EXPORT_PAGE_SIZE = 500;

/** A page of one tenant's audit log, newest entries first. */
export async function listAudit(
  db: Database,
  filter: TenantFilter,
  limit: number,
  offset: number,
) {
  const rows =
    await db.query<Row>(sql`select ${COLUMNS} from users.audit_events where ${matches(filter)}
    order by at desc, id desc limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.audit_events where ${matches(filter)}`,
  );
  return { items: rows.map(toAuditEntry), total: count?.total ?? 0 };
}

/** The matching entries as a file. Reads a page when the client has taken the previous one. */
export function exportAudit(
  db: Database,
  filter: TenantFilter,
  format: "csv" | "json",
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const lineOf = format === "csv" ? toCsv : (entry: AuditEntry) => JSON.stringify(entry);
  // ids are UUIDv7 and increase with time, so new entries do not shift the pages
  let last = "ffffffff-ffff-ffff-ffff-ffffffffffff";
  return new ReadableStream({
    start(controller) {
      if (format === "csv") controller.enqueue(encoder.encode(`${FIELDS.join(",")}\r\n`));
    },
    async pull(controller) {
      const rows = await db.query<Row>(sql`select ${COLUMNS} from users.audit_events
        where ${matches(filter)} and id < ${last} order by id desc limit ${EXPORT_PAGE_SIZE}`);
      if (rows.length > 0)
        controller.enqueue(
          encoder.encode(
            rows.map((row) => `${lineOf(toAuditEntry(row))}${LINE_END[format]}`).join(""),
          ),
        );
      last = rows.at(-1)?.id ?? last;
      if (rows.length < EXPORT_PAGE_SIZE) controller.close();
    },
  });
}

const LINE_END = { csv: "\r\n", json: "\n" };
const FIELDS = [
  "at",
  "actorId",
  "actorName",
  "action",
  "resourceType",
  "resourceId",
  "resourceName",
  "otherName",
  "details",
  "requestId",
  "id",
] as const;

const toCsv = (entry: AuditEntry) => csvLine(FIELDS.map((field) => entry[field]));

function matches({
  clientId,
  actorId,
  action,
  resourceType,
  resourceId,
  from,
  to,
}: TenantFilter): Sql {
  const equals = (column: Sql, value: string | undefined) =>
    value === undefined ? sql`true` : sql`${column} = ${value}`;
  const actionMatches = action?.endsWith(".")
    ? sql`starts_with(action, ${action})`
    : equals(sql`action`, action);
  return sql`client_id = ${clientId} and ${equals(sql`actor_id`, actorId)} and ${actionMatches}
    and ${equals(sql`resource_type`, resourceType)}
    and ${equals(sql`resource_id`, resourceId)}
    and (${from ?? null}::timestamptz is null or at >= ${from ?? null})
    and (${to ?? null}::timestamptz is null or at < ${to ?? null})`;
}

function toAuditEntry(row: Row): AuditEntry {
  return { ...row, at: row.at.toISOString() };
}
