import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { AuditEntry, AuditFilter } from "../contract-audit.ts";

interface Row extends Omit<AuditEntry, "at"> {
  at: Date;
}

const COLUMNS = sql`id, at, actor_id as "actorId",
  (select name from users.known_users known where known.id = actor_id and known.state <> 'deleted') as "actorName", action, resource_type as "resourceType", resource_id as "resourceId", details,
  request_id as "requestId"`;
type TenantFilter = AuditFilter & { clientId: string };

const EXPORT_PAGE = 500;

/** Entries of one tenant. */
export async function listAudit(db: Database, filter: TenantFilter, limit: number, offset: number) {
  const rows =
    await db.query<Row>(sql`select ${COLUMNS} from users.audit_events where ${matching(filter)}
    order by at desc, id desc limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.audit_events where ${matching(filter)}`,
  );
  return { items: rows.map(shown), total: count?.total ?? 0 };
}

/** All of it as a file, read page by page as fast as the reader takes it. */
export function exportAudit(
  db: Database,
  filter: TenantFilter,
  format: "csv" | "json",
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const lineOf = format === "csv" ? csvLine : (entry: AuditEntry) => JSON.stringify(entry);
  // by id, which is a time as well: what is written meanwhile shifts no page
  let last = "ffffffff-ffff-ffff-ffff-ffffffffffff";
  return new ReadableStream({
    start(controller) {
      if (format === "csv") controller.enqueue(encoder.encode(`${FIELDS.join(",")}\r\n`));
    },
    async pull(controller) {
      const rows = await db.query<Row>(sql`select ${COLUMNS} from users.audit_events
        where ${matching(filter)} and id < ${last} order by id desc limit ${EXPORT_PAGE}`);
      if (rows.length > 0)
        controller.enqueue(
          encoder.encode(rows.map((row) => `${lineOf(shown(row))}${LINE_END[format]}`).join("")),
        );
      last = rows.at(-1)?.id ?? last;
      if (rows.length < EXPORT_PAGE) controller.close();
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
  "details",
  "requestId",
  "id",
] as const;

function csvLine(entry: AuditEntry): string {
  return FIELDS.map((field) => {
    const value = entry[field];
    const cell = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
    // a spreadsheet would run it as a formula
    const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
    return `"${safe.replaceAll('"', '""')}"`;
  }).join(",");
}

function matching({
  clientId,
  actorId,
  action,
  resourceType,
  resourceId,
  from,
  to,
}: TenantFilter): Sql {
  const is = (column: Sql, value: string | undefined) =>
    value === undefined ? sql`true` : sql`${column} = ${value}`;
  const named = action?.endsWith(".")
    ? sql`starts_with(action, ${action})`
    : is(sql`action`, action);
  return sql`client_id = ${clientId} and ${is(sql`actor_id`, actorId)} and ${named} and ${is(sql`resource_type`, resourceType)}
    and ${is(sql`resource_id`, resourceId)} and (${from ?? null}::timestamptz is null or at >= ${from ?? null})
    and (${to ?? null}::timestamptz is null or at < ${to ?? null})`;
}

function shown(row: Row): AuditEntry {
  return { ...row, at: row.at.toISOString() };
}
