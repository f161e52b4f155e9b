import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { isExpired, leaseEnd } from "../../../platform/lease/row-lease.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { Conversion } from "./contract.ts";

type Row = Omit<Conversion, "createdAt" | "updatedAt"> & {
  createdAt: Date;
  updatedAt: Date;
};
const COLUMNS = sql`id, type, input, output, target_language as "targetLanguage", options, status, model, error, created_at as "createdAt", updated_at as "updatedAt"`;
const SHOWN_CHARACTERS = 200;
const SEARCHED_CHARACTERS = 10_000;
const SHORT_COLUMNS = sql`id, type, left(input, ${SHOWN_CHARACTERS}) as input, left(output, ${SHOWN_CHARACTERS}) as output,
  target_language as "targetLanguage", options, status, model, error, created_at as "createdAt", updated_at as "updatedAt"`;
/** Conversions of a process that has not renewed them for this long count as interrupted. */
const LEASE_MS = 60_000;

export async function insertConversion(
  db: Database,
  userId: string,
  {
    id,
    type,
    input,
    targetLanguage,
    options,
    model,
  }: Pick<Conversion, "id" | "type" | "input" | "targetLanguage" | "options" | "model">,
): Promise<void> {
  await db.query(sql`insert into core.conversions (id, user_id, type, input, target_language, options, status, model, lease_until)
    values (${id}, ${userId}, ${type}, ${input}, ${targetLanguage}, ${jsonb(options)}, 'running', ${model}, ${leaseEnd(LEASE_MS)})`);
}

/** Stores the text so far and renews the lease. */
export async function saveProgress(
  db: Database,
  id: string,
  output: string,
): Promise<void> {
  await db.query(sql`update core.conversions set output = ${output}, lease_until = ${leaseEnd(LEASE_MS)}, updated_at = now()
    where id = ${id} and status = 'running'`);
}

export async function endConversion(
  db: Database,
  id: string,
  { status, output, error }: Pick<Conversion, "status" | "output" | "error">,
): Promise<void> {
  await db.query(sql`update core.conversions set status = ${status}, output = ${output}, error = ${jsonb(error)}, lease_until = null, updated_at = now()
    where id = ${id}`);
}

/**
 * Marks the conversions of processes that died as failed.
 * @param running those of this process, which may be late with a renewal but is alive.
 */
export async function failAbandonedConversions(
  db: Database,
  running: readonly string[],
): Promise<void> {
  const error = {
    error: "The server stopped in the middle of this conversion. Ask again.",
    code: "interrupted",
  };
  await db.query(sql`update core.conversions set status = 'failed', error = ${jsonb(error)}, lease_until = null
    where status = 'running' and ${isExpired(sql`lease_until`)}
      and id <> all(${running}::uuid[])`);
}

/** @throws NotFound `conversion_not_found`. */
export async function findConversion(
  db: Database,
  userId: string,
  id: string,
): Promise<Conversion> {
  const [row] = await db.query<Row>(
    sql`select ${COLUMNS} from core.conversions where id = ${id} and user_id = ${userId}`,
  );
  if (!row) throw notFound();
  return conversionOf(row);
}

interface ConversionFilter {
  userId: string;
  type?: Conversion["type"] | undefined;
  query?: string | undefined;
  texts?: "whole" | "short";
}

/** One's own conversions, the newest first. Their number per user is limited. */
export async function listConversions(
  db: Database,
  { userId, type, query, texts = "whole" }: ConversionFilter,
  limit: number,
  offset: number,
): Promise<{ items: Conversion[]; total: number }> {
  const conditions = [sql`user_id = ${userId}`];
  if (type !== undefined) conditions.push(sql`type = ${type}`);
  if (query !== undefined) conditions.push(contains(query));
  const where = join(conditions, " and ");
  const columns = texts === "short" ? SHORT_COLUMNS : COLUMNS;
  const rows = await db.query<Row>(
    sql`select ${columns} from core.conversions where ${where} order by created_at desc, id desc limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.conversions where ${where}`,
  );
  return { items: rows.map(conversionOf), total: count?.total ?? 0 };
}

function contains(words: string): Sql {
  const texts = sql`left(input, ${SEARCHED_CHARACTERS}) || ' ' || left(output, ${SEARCHED_CHARACTERS})`;
  return sql`strpos(core.fold_text(${texts}), core.fold_text(${words})) > 0`;
}

export async function setOutput(db: Database, id: string, output: string): Promise<void> {
  await db.query(
    sql`update core.conversions set output = ${output}, updated_at = now() where id = ${id}`,
  );
}

export async function removeConversion(
  db: Database,
  userId: string,
  id: string,
): Promise<void> {
  const rows = await db.query(
    sql`delete from core.conversions where id = ${id} and user_id = ${userId} returning id`,
  );
  if (rows.length === 0) throw notFound();
}

function conversionOf(row: Row): Conversion {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function notFound(): NotFound {
  return new NotFound(
    "conversion_not_found",
    "There is no such conversion of yours. GET /api/v1/conversion lists them.",
  );
}
