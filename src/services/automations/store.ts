import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { jsonb } from "../../platform/db/jsonb.ts";
import type { User } from "../../platform/http/caller.ts";
import type { NewRule, Rule, RuleChange, RuleScope } from "./contract.ts";
import { type RuleUser, visibleTo } from "./rule-access.ts";

type Row = Omit<Rule, "last_update" | "created_at"> & {
  last_update: Date;
  created_at: Date;
};
const COLUMNS = sql`id::float8 as id, name, type, origin, agents, is_active, client_id, scope,
  user_id, last_update, created_at`;

interface Filter {
  /** Text in the name, the type or the origin. */
  q?: string | undefined;
  type?: string | undefined;
  origin?: string | undefined;
  scope?: RuleScope | undefined;
}

/** A page of the rules that a user may see, by id. */
export async function listRules(
  db: Database,
  user: RuleUser,
  { q = "", type = "", origin = "", scope }: Filter,
  limit: number,
  offset: number,
): Promise<{ items: Rule[]; total: number }> {
  const where = sql`${visibleTo(user)} and strpos(lower(type), lower(${type})) > 0
    and strpos(lower(origin), lower(${origin})) > 0
    and strpos(lower(name || chr(10) || type || chr(10) || origin), lower(${q})) > 0
    and (${scope ?? null}::text is null or scope = ${scope ?? null})`;
  const rows = await db.query<Row>(sql`select ${COLUMNS} from automations.rules
    where ${where} order by id limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from automations.rules where ${where}`,
  );
  return { items: rows.map(toRule), total: count?.total ?? 0 };
}

const PAGE_SIZE = 10_000;

/** All active rules of a client, read page by page. */
export async function listActiveClientRules(
  db: Database,
  clientId: string,
): Promise<Rule[]> {
  const rules: Rule[] = [];
  for (let after = 0; ;) {
    const rows = await db.query<Row>(sql`select ${COLUMNS} from automations.rules
      where client_id = ${clientId} and scope = 'client' and is_active and id > ${after}
      order by id limit ${PAGE_SIZE}`);
    rules.push(...rows.map(toRule));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return rules;
    after = last.id;
  }
}

/** A user's active personal rules (`MAX_PERSONAL_RULES`). Uses the index `personal_rules`. */
export async function listActivePersonalRules(
  db: Database,
  { userId, clientId }: Pick<User, "userId" | "clientId">,
): Promise<Rule[]> {
  const rows = await db.query<Row>(sql`select ${COLUMNS} from automations.rules
    where scope = 'personal' and user_id = ${userId} and client_id = ${clientId} and is_active
    order by id`);
  return rows.map(toRule);
}

/**
 * A text that changes with every change of a client's rules. Their times would not do: two changes
 * may have one time, and of two transactions the one that began first may end last.
 */
export async function readStamp(db: Database, clientId: string): Promise<string> {
  const [row] = await db.query<{ stamp: string }>(
    sql`select coalesce(sum(hashtextextended(concat(id, ' ', xmin), 0)), 0)::text as stamp
      from automations.rules where client_id = ${clientId} and scope = 'client'`,
  );
  return row?.stamp ?? "";
}

/** A rule of the client, without a check of access. */
export async function findRule(
  db: Database,
  clientId: string,
  id: number,
): Promise<Rule | undefined> {
  const [row] = await db.query<Row>(
    sql`select ${COLUMNS} from automations.rules where id = ${id} and client_id = ${clientId}`,
  );
  return row && toRule(row);
}

/** A rule that the user may see. */
export async function findVisibleRule(
  db: Database,
  user: RuleUser,
  id: number,
): Promise<Rule | undefined> {
  const [row] = await db.query<Row>(
    sql`select ${COLUMNS} from automations.rules where id = ${id} and ${visibleTo(user)}`,
  );
  return row && toRule(row);
}

/** The number of the client's rules, or of the user's personal rules. */
export async function countRules(
  db: Database,
  { userId, clientId }: User,
  scope: RuleScope,
): Promise<number> {
  const isCounted =
    scope === "client" ? sql`client_id = ${clientId}` : sql`user_id = ${userId}`;
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from automations.rules
      where scope = ${scope} and ${isCounted}`,
  );
  return count?.total ?? 0;
}

export async function insertRule(
  db: Database,
  {
    name,
    type,
    origin,
    agents,
    is_active: isActive,
    scope,
  }: NewRule & { scope: RuleScope },
  { clientId, userId }: User,
): Promise<Rule> {
  const [row] = await db.query<Row>(sql`insert into automations.rules
      (client_id, user_id, scope, name, type, origin, agents, is_active)
    values (${clientId}, ${userId}, ${scope}, ${name}, ${type}, ${origin}, ${jsonb(agents)},
      ${isActive})
    returning ${COLUMNS}`);
  if (!row) throw new Error("an insert returned no row");
  return toRule(row);
}

/**
 * Changes a rule unless its scope, creator or agents changed since it was read.
 * @returns whether it was changed.
 */
export async function updateRule(
  db: Database,
  current: Rule,
  change: RuleChange & { user_id?: string },
): Promise<boolean> {
  const newOrCurrent = (value: unknown, column: Sql): Sql =>
    value === undefined ? column : sql`${value}`;
  const {
    name,
    type,
    origin,
    agents,
    is_active: isActive,
    scope,
    user_id: userId,
  } = change;
  const rows = await db.query(sql`update automations.rules
    set name = ${newOrCurrent(name, sql`name`)},
      type = ${newOrCurrent(type, sql`type`)}, origin = ${newOrCurrent(origin, sql`origin`)},
      agents = ${agents ? jsonb(agents) : sql`agents`},
      is_active = ${newOrCurrent(isActive, sql`is_active`)},
      scope = ${newOrCurrent(scope, sql`scope`)},
      user_id = ${newOrCurrent(userId, sql`user_id`)}, last_update = now()
    where id = ${current.id} and scope = ${current.scope} and (user_id, agents)
      is not distinct from (${current.user_id}, ${jsonb(current.agents)}) returning id`);
  return rows.length > 0;
}

/** Deletes a rule. @returns false if it was deleted or changed since it was read. */
export async function removeRule(
  db: Database,
  { id, scope, user_id }: Rule,
): Promise<boolean> {
  const rows = await db.query(sql`delete from automations.rules
    where id = ${id} and scope = ${scope} and user_id = ${user_id} returning id`);
  return rows.length > 0;
}

function toRule(row: Row): Rule {
  return {
    ...row,
    last_update: row.last_update.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
