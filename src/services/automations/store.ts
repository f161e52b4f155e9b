import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { jsonb } from "../../platform/db/jsonb.ts";
import type { NewRule, Rule, RuleChange } from "./contract.ts";

type Row = Omit<Rule, "last_update" | "created_at"> & { last_update: Date; created_at: Date };
const COLUMNS = sql`id::float8 as id, name, type, origin, agents, is_active, client_id, last_update, created_at`;

interface Filter {
  type?: string | undefined;
  origin?: string | undefined;
}

/** Rules of one client, by id. */
export async function listRules(
  db: Database,
  clientId: string,
  { type, origin }: Filter,
  limit: number,
  offset: number,
): Promise<{ items: Rule[]; total: number }> {
  const where = sql`client_id = ${clientId} and strpos(lower(type), lower(${type ?? ""})) > 0 and strpos(lower(origin), lower(${origin ?? ""})) > 0`;
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from automations.rules where ${where} order by id limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from automations.rules where ${where}`,
  );
  return { items: rows.map(ruleOf), total: count?.total ?? 0 };
}

const PAGE = 10_000;

/** All active rules of a client, page by page. */
export async function activeRules(db: Database, clientId: string): Promise<Rule[]> {
  const rules: Rule[] = [];
  for (let after = 0; ;) {
    const rows = await db.query<Row>(sql`select ${COLUMNS} from automations.rules
      where client_id = ${clientId} and is_active and id > ${after} order by id limit ${PAGE}`);
    rules.push(...rows.map(ruleOf));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return rules;
    after = last.id;
  }
}

/** Changes with every change of a client's rules. */
export async function stampOf(db: Database, clientId: string): Promise<string> {
  const [row] = await db.query<{ stamp: string }>(
    sql`select count(*) || ' ' || coalesce(max(last_update)::text, '') as stamp from automations.rules where client_id = ${clientId}`,
  );
  return row?.stamp ?? "";
}

export async function findRule(
  db: Database,
  clientId: string,
  id: number,
): Promise<Rule | undefined> {
  const [row] = await db.query<Row>(
    sql`select ${COLUMNS} from automations.rules where id = ${id} and client_id = ${clientId}`,
  );
  return row && ruleOf(row);
}

export async function insertRule(
  db: Database,
  { name, type, origin, agents, is_active: isActive }: NewRule,
  clientId: string,
  userId: string,
): Promise<Rule> {
  const [row] =
    await db.query<Row>(sql`insert into automations.rules (client_id, name, type, origin, agents, is_active, created_by)
    values (${clientId}, ${name}, ${type}, ${origin}, ${jsonb(agents)}, ${isActive}, ${userId}) returning ${COLUMNS}`);
  if (!row) throw new Error("an insert returned no row");
  return ruleOf(row);
}

/** @returns whether there was such a rule. */
export async function updateRule(
  db: Database,
  clientId: string,
  id: number,
  change: RuleChange,
): Promise<boolean> {
  const keep = (value: unknown, column: Sql): Sql => (value === undefined ? column : sql`${value}`);
  const { name, type, origin, agents, is_active: isActive } = change;
  const rows =
    await db.query(sql`update automations.rules set name = ${keep(name, sql`name`)}, type = ${keep(type, sql`type`)},
    origin = ${keep(origin, sql`origin`)}, agents = ${agents ? jsonb(agents) : sql`agents`}, is_active = ${keep(isActive, sql`is_active`)}, last_update = now()
    where id = ${id} and client_id = ${clientId} returning id`);
  return rows.length > 0;
}

/** @returns whether there was such a rule. */
export async function removeRule(db: Database, clientId: string, id: number): Promise<boolean> {
  return (
    (
      await db.query(
        sql`delete from automations.rules where id = ${id} and client_id = ${clientId} returning id`,
      )
    ).length > 0
  );
}

function ruleOf(row: Row): Rule {
  return {
    ...row,
    last_update: row.last_update.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
