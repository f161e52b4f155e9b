import sql, { join, type Sql } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { Budget, BudgetChange, NewBudget } from "./contract.ts";

type Row = Omit<Budget, "createdAt" | "updatedAt"> & { createdAt: Date; updatedAt: Date };

const COLUMNS = sql`id, name, subject_type as "subjectType", subject_id as "subjectId", share, unit, amount::float8 as amount, period,
  warn_at::float8 as "warnAt", enabled, created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"`;

export async function listBudgets(
  db: Database,
  limit: number,
  offset: number,
): Promise<{ items: Budget[]; total: number }> {
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from core.budgets order by id limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.budgets`,
  );
  return { items: rows.map(budgetOf), total: count?.total ?? 0 };
}

/** Lists enabled budgets. */
export async function activeBudgets(db: Database): Promise<Budget[]> {
  return (
    await db.query<Row>(
      sql`select ${COLUMNS} from core.budgets where enabled order by id limit 10000`,
    )
  ).map(budgetOf);
}

/** @throws NotFound `budget_not_found`. */
export async function findBudget(db: Database, id: string): Promise<Budget> {
  const [row] = await db.query<Row>(
    sql`select ${COLUMNS} from core.budgets where id = ${id}`,
  );
  if (!row) throw budgetNotFound();
  return budgetOf(row);
}

export async function insertBudget(
  db: Database,
  budget: NewBudget,
  createdBy: string,
): Promise<Budget> {
  const { name, subjectType, subjectId, share, unit, amount, period, warnAt, enabled } =
    budget;
  const [row] =
    await db.query<Row>(sql`insert into core.budgets (id, name, subject_type, subject_id, share, unit, amount, period, warn_at, enabled, created_by)
    values (${uuidv7()}, ${name}, ${subjectType}, ${subjectId}, ${share}, ${unit}, ${amount}, ${period}, ${warnAt}, ${enabled}, ${createdBy}) returning ${COLUMNS}`);
  if (!row) throw new Error("an insert returned no row");
  return budgetOf(row);
}

export async function updateBudget(
  db: Database,
  id: string,
  change: z.output<typeof BudgetChange>,
): Promise<Budget> {
  const keep = (value: unknown, column: Sql): Sql =>
    value === undefined ? column : sql`${value}`;
  const { name, amount, warnAt, enabled } = change;
  const [row] =
    await db.query<Row>(sql`update core.budgets set name = ${keep(name, sql`name`)}, amount = ${keep(amount, sql`amount`)},
    warn_at = ${keep(warnAt, sql`warn_at`)}, enabled = ${keep(enabled, sql`enabled`)}, updated_at = now() where id = ${id} returning ${COLUMNS}`);
  if (!row) throw budgetNotFound();
  return budgetOf(row);
}

export async function removeBudget(db: Database, id: string): Promise<void> {
  const rows = await db.query(sql`delete from core.budgets where id = ${id} returning id`);
  if (rows.length === 0) throw budgetNotFound();
}

/** One line of a budget's account. */
export interface Spending {
  budgetId: string;
  spender: string;
  /** `YYYY-MM-DD`. */
  periodStart: string;
  spent: number;
}

/** Call it inside the transaction that stores the usage. */
export async function addSpending(
  db: Database,
  spending: readonly Spending[],
): Promise<void> {
  if (spending.length === 0) return;
  await db.query(sql`insert into core.budget_spending (budget_id, spender, period_start, spent)
    select "budgetId", spender, "periodStart", sum(spent) from jsonb_to_recordset(${jsonb(spending)}) as s ("budgetId" uuid, spender text, "periodStart" date, spent numeric)
    where exists (select 1 from core.budgets b where b.id = s."budgetId") group by 1, 2, 3
    on conflict (budget_id, spender, period_start) do update set spent = core.budget_spending.spent + excluded.spent`);
}

/** Returns what was spent of each budget, by key: one read by primary key. */
export async function readSpending(
  db: Database,
  lines: readonly Omit<Spending, "spent">[],
): Promise<number[]> {
  if (lines.length === 0) return [];
  const keys = lines.map(
    ({ budgetId, spender, periodStart }) =>
      sql`(${budgetId}::uuid, ${spender}, ${periodStart}::date)`,
  );
  const rows =
    await db.query<Spending>(sql`select budget_id as "budgetId", spender, spent::float8 as spent from core.budget_spending
    where (budget_id, spender, period_start) in (${join(keys)})`);
  return lines.map(
    ({ budgetId, spender }) =>
      rows.find((row) => row.budgetId === budgetId && row.spender === spender)?.spent ?? 0,
  );
}

export async function listSpenders(
  db: Database,
  id: string,
  periodStart: string,
  limit: number,
  offset: number,
) {
  const items = await db.query<{
    spender: string;
    spent: number;
  }>(sql`select spender, spent::float8 as spent from core.budget_spending
    where budget_id = ${id} and period_start = ${periodStart}::date order by spent desc, spender limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.budget_spending where budget_id = ${id} and period_start = ${periodStart}::date`,
  );
  return { items, total: count?.total ?? 0 };
}

function budgetOf(row: Row): Budget {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function budgetNotFound(): NotFound {
  return new NotFound(
    "budget_not_found",
    "There is no such budget. GET /api/v1/budgets lists them.",
  );
}
