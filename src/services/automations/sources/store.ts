import sql from "sql-template-tag";
import type { Capacity } from "../../../platform/background/work-loop.ts";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { claimRows, renewRows, type RowLease } from "../../../platform/lease/row-lease.ts";
import { lockFairly } from "../claim-fairly.ts";
import type { RunError } from "../contract-runs.ts";
import type { SourceItem, SourceSettings } from "../contract-sources.ts";

/** A source as it is stored. */
export interface StoredSource {
  id: string;
  clientId: string;
  userId: string;
  name: string;
  settings: SourceSettings;
  /** Encrypted. */
  secret: string;
  origin: string;
  type: string | null;
  tags: string[];
  isActive: boolean;
  error: RunError | null;
  lookedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = sql`id, client_id as "clientId", user_id as "userId", name, settings, secret,
  origin, type, tags, is_active as "isActive", error,
  looked_at as "lookedAt", created_at as "createdAt", updated_at as "updatedAt"`;

export async function listSources(
  db: Database,
  userId: string,
  limit: number,
  offset: number,
) {
  const items = await db.query<StoredSource>(
    sql`select ${COLUMNS} from automations.sources where user_id = ${userId} order by id
      limit ${limit} offset ${offset}`,
  );
  return { items, total: await countSources(db, userId) };
}

export async function countSources(db: Database, userId: string): Promise<number> {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from automations.sources where user_id = ${userId}`,
  );
  return count?.total ?? 0;
}

/** Finds a source; with `userId`, only of that user. */
export async function findSource(
  db: Database,
  id: string,
  userId?: string,
): Promise<StoredSource | undefined> {
  const isOwner = userId === undefined ? sql`true` : sql`user_id = ${userId}`;
  const [row] = await db.query<StoredSource>(
    sql`select ${COLUMNS} from automations.sources where id = ${id} and ${isOwner}`,
  );
  return row;
}

export async function insertSource(
  db: Database,
  source: Omit<StoredSource, "error" | "lookedAt" | "createdAt" | "updatedAt">,
): Promise<void> {
  const { id, clientId, userId, name, settings, secret, origin, type, tags, isActive } =
    source;
  const intervalMs = settings.kind === "webhook" ? null : settings.every * 1_000;
  await db.query(sql`insert into automations.sources (id, client_id, user_id, name, kind, settings,
    secret, origin, type, tags, is_active, every_ms, due_at)
    values (${id}, ${clientId}, ${userId}, ${name}, ${settings.kind}, ${jsonb(settings)},
    ${secret}, ${origin}, ${type}, ${tags}::text[], ${isActive}, ${intervalMs},
      ${intervalMs === null ? sql`null` : sql`now()`})`);
}

export async function updateSource(
  db: Database,
  source: Pick<StoredSource, "id" | "name" | "origin" | "type" | "tags" | "isActive">,
): Promise<void> {
  const { id, name, origin, type, tags, isActive } = source;
  await db.query(sql`update automations.sources
    set name = ${name}, origin = ${origin}, type = ${type}, tags = ${tags}::text[],
    is_active = ${isActive},
    due_at = case when every_ms is null then null else now() end, claim = claim + 1,
    updated_at = now() where id = ${id}`);
}

export async function saveSecret(db: Database, id: string, secret: string): Promise<void> {
  await db.query(
    sql`update automations.sources set secret = ${secret}, updated_at = now() where id = ${id}`,
  );
}

export async function removeSource(
  db: Database,
  userId: string,
  id: string,
): Promise<boolean> {
  const rows = await db.query(
    sql`delete from automations.sources where id = ${id} and user_id = ${userId} returning id`,
  );
  return rows.length > 0;
}

/** A source that a worker is checking. */
export interface HeldSource {
  source: StoredSource;
  claim: number;
}

const LEASE: RowLease = {
  table: sql`automations.sources`,
  until: sql`due_at`,
  fence: sql`claim`,
  durationMs: 30_000,
};

const IS_OPEN = sql`is_active and due_at is not null`;

/** Claims active sources that are due. */
export async function takeSources(db: Database, capacity: Capacity): Promise<HeldSource[]> {
  const rows = await claimRows<StoredSource & { claim: number }>(db, LEASE, {
    due: lockFairly(LEASE.table, IS_OPEN, capacity),
    returning: sql`${COLUMNS}, claim`,
  });
  return rows.map(({ claim, ...source }) => ({ source, claim }));
}

export async function renewSources(
  db: Database,
  held: readonly HeldSource[],
): Promise<Set<number>> {
  return renewRows(db, LEASE, {
    held: held.map(({ source: { id }, claim }) => ({ id, claim })),
    fields: sql`id uuid, claim int`,
    match: sql`claimed.id = held.id and claimed.claim = held.claim and claimed.is_active`,
  });
}

/**
 * Ends a check. `more` continues at once. After each failure the delay doubles, up to an hour. The
 * claim changes, so that a concurrent renewal of the lease does not delay the next check.
 */
export async function saveCheck(
  db: Database,
  { source, claim }: HeldSource,
  { error = null, more = false }: { error?: RunError | null; more?: boolean },
): Promise<void> {
  const failures = error ? sql`failures + 1` : sql`0`;
  const normalDelay = more ? sql`interval '0'` : sql`every_ms * interval '1 millisecond'`;
  const delay = error
    ? sql`least(every_ms * power(2, least(failures, 12)), greatest(every_ms, 3600000)) *
      interval '1 millisecond'`
    : normalDelay;
  await db.query(sql`update automations.sources
    set due_at = now() + ${delay}, failures = ${failures}, error = ${jsonb(error)},
    looked_at = now(),
    claim = claim + 1 where id = ${source.id} and claim = ${claim}`);
}

export interface Item {
  key: string;
  version: string;
}

/** The items that are new or changed; `before` is the version at the previous check. */
export async function listNewItems(
  db: Database,
  sourceId: string,
  items: readonly Item[],
): Promise<(Item & { before: string | null })[]> {
  if (items.length === 0) return [];
  return db.query<
    Item & { before: string | null }
  >(sql`select g.key, g.version, i.version as before
    from jsonb_to_recordset(${jsonb(items)}) as g (key text, version text)
    left join automations.source_items i on i.source_id = ${sourceId} and i.key = g.key
    where i.key is null or i.version <> g.version or i.state = 'seen' order by g.key`);
}

export async function saveItem(
  db: Database,
  sourceId: string,
  { key, version }: Item,
  outcome:
    | { state: "seen" }
    | { state: "taken"; runId: string }
    | { state: "refused"; error: RunError },
): Promise<void> {
  const runId = outcome.state === "taken" ? outcome.runId : null;
  const error = outcome.state === "refused" ? outcome.error : null;
  await db.query(sql`insert into automations.source_items (source_id, key, version, state, run_id,
    error)
    select id, ${key}, ${version}, ${outcome.state}, ${runId}, ${jsonb(error)}
      from automations.sources where id = ${sourceId}
    on conflict (source_id, key) do update
    set version = excluded.version, state = excluded.state, run_id = excluded.run_id,
    error = excluded.error, seen_at = now()`);
}

/** A page of the items of a source with their results. */
export async function listItems(
  db: Database,
  sourceId: string,
  state: SourceItem["state"] | undefined,
  limit: number,
  offset: number,
): Promise<{ items: SourceItem[]; total: number }> {
  const where = sql`source_id = ${sourceId}
    and (${state ?? null}::text is null or state = ${state ?? null})`;
  const rows = await db.query<
    Omit<SourceItem, "seenAt"> & { seenAt: Date }
  >(sql`select key, state, run_id as "runId", error, seen_at as "seenAt"
    from automations.source_items where ${where} order by seen_at desc, key
    limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from automations.source_items where ${where}`,
  );
  return {
    items: rows.map((row) => ({ ...row, seenAt: row.seenAt.toISOString() })),
    total: count?.total ?? 0,
  };
}
