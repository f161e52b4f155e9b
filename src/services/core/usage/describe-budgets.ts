import sql, { join } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { isUuid } from "../../../platform/uuid.ts";
import type { FindNames } from "../user-names.ts";
import type { Budget, BudgetInUse, BudgetNames } from "./contract.ts";
import { periodStart, resetsAt, startsAt } from "./periods.ts";

export interface DescribeDeps {
  db: Database;
  findNames: FindNames;
  groupNames: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** Adds what is spent of each budget, and the names of whom it limits and of who created it. */
export async function describeBudgets(
  deps: DescribeDeps,
  budgets: readonly Budget[],
  clientId: string,
): Promise<BudgetInUse[]> {
  const now = new Date();
  const [spending, named] = await Promise.all([
    sumSpending(deps.db, budgets, now),
    nameBudgets(deps, budgets, clientId),
  ]);
  return named.map((budget) => ({
    ...budget,
    spent: spending.get(budget.id)?.spent ?? 0,
    highest: spending.get(budget.id)?.highest ?? 0,
    startsAt: startsAt(budget.period, now),
    resetsAt: resetsAt(budget.period, now),
  }));
}

type Unnamed = Pick<Budget, "subjectType" | "subjectId" | "createdBy">;

/** Adds the names of whom each budget limits and of who created it. */
export async function nameBudgets<One extends Unnamed>(
  { db, findNames, groupNames }: DescribeDeps,
  budgets: readonly One[],
  clientId: string,
): Promise<(One & BudgetNames)[]> {
  const idsOf = (...types: Budget["subjectType"][]) =>
    budgets.flatMap(({ subjectType, subjectId }) =>
      types.includes(subjectType) && subjectId !== "*" ? subjectId : [],
    );
  const creators = budgets.map(({ createdBy }) => createdBy);
  const [users, groups, agents] = await Promise.all([
    findNames([...idsOf("user"), ...creators], clientId),
    groupNames(idsOf("group")),
    agentNames(db, idsOf("agent", "run"), clientId),
  ]);
  const names = { user: users, group: groups, agent: agents, run: agents };
  return budgets.map((budget) => ({
    ...budget,
    subjectName: names[budget.subjectType].get(budget.subjectId) ?? null,
    creatorName: users.get(budget.createdBy) ?? null,
  }));
}

interface Spent {
  budgetId: string;
  spent: number;
  highest: number;
}

async function sumSpending(
  db: Database,
  budgets: readonly Budget[],
  now: Date,
): Promise<ReadonlyMap<string, Spent>> {
  if (budgets.length === 0) return new Map();
  const periods = budgets.map(
    ({ id, period }) => sql`(${id}::uuid, ${periodStart(period, now)}::date)`,
  );
  const rows = await db.query<Spent>(sql`select budget_id as "budgetId",
      sum(spent)::float8 as spent, max(spent)::float8 as highest
    from core.budget_spending where (budget_id, period_start) in (${join(periods)}) group by 1`);
  return new Map(rows.map((row) => [row.budgetId, row]));
}

/**
 * Names of agents of a tenant by id, and of those that are built in, which are of none. Those in
 * the trash are included: their past is still shown.
 */
export async function agentNames(
  db: Database,
  ids: readonly string[],
  clientId: string,
): Promise<ReadonlyMap<string, string>> {
  // ids of transactions come from callers: other texts name no agent
  const known = ids.filter(isUuid);
  if (known.length === 0) return new Map();
  const rows = await db.query<{ id: string; name: string }>(
    sql`select id, name from core.agents
      where (client_id = ${clientId} or type = 'system') and id in (${join(known.map((id) => sql`${id}::uuid`))})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface NamesDeps {
  db: Database;
  findNames: FindNames;
}

/** Finds the names of users, groups or agents by id. Others have none. */
export function createNamesOf({ db, findNames }: NamesDeps) {
  return async (
    kind: string,
    ids: readonly string[],
    clientId: string,
  ): Promise<ReadonlyMap<string, string>> => {
    if (kind === "user" || kind === "group") return findNames(ids, clientId);
    if (kind === "agent") return agentNames(db, ids, clientId);
    return new Map();
  };
}
