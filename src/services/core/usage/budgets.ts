import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import { TooManyRequests } from "../../../platform/http/errors.ts";
import type { RunBudget } from "../../agent/contract-budget.ts";
import type { Transaction } from "../../completion/contract.ts";
import type { Pricing } from "../../completion/contract-catalogue.ts";
import { activeBudgets, readSpending, type Spending } from "./budgets-store.ts";
import type { Budget, BudgetState } from "./contract.ts";
import { periodStart, resetsAt } from "./periods.ts";

const CHANNEL = "budgets-changed";
/**
 * The longest time for which a change of budgets or of groups' members stays unseen when its
 * notification is lost.
 */
const KEPT_MS = 30_000;

/** The user and model of a use. */
interface User {
  userId?: string | undefined;
  agentId?: string | undefined;
}

export interface Budgets extends AsyncDisposable {
  /** Whether any budgets exist. */
  any(): Promise<boolean>;
  /** Returns the state of each budget that applies to a use, in one read. */
  statesOf(user: User): Promise<BudgetState[]>;
  /**
   * Checks whether a use is within its budgets.
   * @returns budgets that are nearly used up.
   * @throws TooManyRequests `budget_exceeded`.
   */
  check(user: User): Promise<BudgetState[]>;
  /**
   * Returns the limits for a single reply. `pricing`: of its model; without it, budgets in money do
   * not limit the reply.
   */
  ofRun(agentId: string | undefined, pricing: Pricing | null): Promise<RunBudget[]>;
  /**
   * Charges records to budgets, once it is known which records are new and what they cost. Do not
   * call this inside a transaction: it reads who is affected for all callers at once, and with a
   * single connection that read would wait for the transaction to end.
   */
  spendingOf(
    records: readonly Transaction[],
  ): Promise<(costs: ReadonlyMap<string, number | null>) => Spending[]>;
  /** Call it after every change of a budget. */
  tellChanged(): Promise<void>;
}

interface Deps {
  db: Database;
  cache: Cache;
  /** Returns the users of a group and of the groups within it. */
  membersOf: (groupId: string) => Promise<ReadonlySet<string>>;
}

export async function createBudgets({ db, cache, membersOf }: Deps): Promise<Budgets> {
  let kept:
    | {
        until: number;
        budgets: Promise<Budget[]>;
        members: Map<string, Promise<ReadonlySet<string>>>;
      }
    | undefined;
  const subscription = await cache.subscribe(CHANNEL, () => (kept = undefined));

  const current = () => {
    if (!kept || kept.until < performance.now()) {
      const fresh = {
        until: performance.now() + KEPT_MS,
        budgets: activeBudgets(db),
        members: new Map(),
      };
      fresh.budgets.catch(() => (kept = undefined));
      kept = fresh;
    }
    return kept;
  };

  /** Returns the subject that a use is charged to; `undefined` when the budget does not apply. */
  async function spenderOf(
    { subjectType, subjectId, share }: Budget,
    { userId, agentId }: User,
  ): Promise<string | undefined> {
    if (subjectType === "agent")
      return agentId !== undefined && (subjectId === "*" || subjectId === agentId)
        ? agentId
        : undefined;
    if (userId === undefined || subjectType === "run") return undefined;
    if (subjectType === "user")
      return subjectId === "*" || subjectId === userId ? userId : undefined;
    const { members } = current();
    const group = members.get(subjectId) ?? membersOf(subjectId);
    members.set(subjectId, group);
    group.catch(() => members.delete(subjectId));
    if (!(await group).has(userId)) return undefined;
    return share === "pool" ? "pool" : userId;
  }

  async function linesOf(user: User, at: Date) {
    const lines: { budget: Budget; line: Omit<Spending, "spent"> }[] = [];
    for (const budget of await current().budgets) {
      const spender = await spenderOf(budget, user);
      if (spender !== undefined)
        lines.push({
          budget,
          line: { budgetId: budget.id, spender, periodStart: periodStart(budget.period, at) },
        });
    }
    return lines;
  }

  async function statesOf(user: User): Promise<BudgetState[]> {
    const now = new Date();
    const lines = await linesOf(user, now);
    const spent = await readSpending(
      db,
      lines.map(({ line }) => line),
    );
    return lines.map(({ budget: { id: budgetId, name, unit, amount, warnAt, period } }, index) => ({
      budgetId,
      name,
      unit,
      amount,
      spent: spent[index] ?? 0,
      warn: (spent[index] ?? 0) >= amount * warnAt,
      exceeded: (spent[index] ?? 0) >= amount,
      resetsAt: resetsAt(period, now),
    }));
  }

  return {
    any: async () => (await current().budgets).length > 0,
    statesOf,
    async check(user) {
      const states = await statesOf(user);
      const used = states.find(({ exceeded }) => exceeded);
      if (used) throw exceeded(used);
      return states.filter(({ warn }) => warn);
    },
    async ofRun(agentId, pricing) {
      const budgets = await current().budgets;
      return budgets
        .filter(
          ({ subjectType, subjectId }) =>
            subjectType === "run" && (subjectId === "*" || subjectId === agentId),
        )
        .flatMap(({ unit, amount }) => {
          if (unit === "tokens") return { amount, inputPrice: 1, outputPrice: 1 };
          if (!pricing) return [];
          return {
            amount,
            inputPrice: pricing.inputPerMillion / 1e6,
            outputPrice: pricing.outputPerMillion / 1e6,
          };
        });
    },
    async spendingOf(records) {
      const bound = new Map<
        string,
        { record: Transaction; lines: Awaited<ReturnType<typeof linesOf>> }
      >();
      for (const record of records)
        bound.set(record.id, { record, lines: await linesOf(record, new Date(record.createdAt)) });
      return (costs) =>
        [...costs].flatMap(([id, cost]) => {
          const { record, lines = [] } = bound.get(id) ?? {};
          return lines.flatMap(({ budget, line }) => {
            const spent =
              budget.unit === "tokens"
                ? (record?.inputTokens ?? 0) + (record?.outputTokens ?? 0)
                : (cost ?? 0);
            return spent > 0 ? [{ ...line, spent }] : [];
          });
        });
    },
    async tellChanged() {
      await cache.publish(CHANNEL, "");
    },
    [Symbol.asyncDispose]: () => subscription[Symbol.asyncDispose](),
  };
}

function exceeded({ name, resetsAt: again, ...state }: BudgetState): TooManyRequests {
  const wait = again === null ? 86_400_000 : Math.max(1_000, Date.parse(again) - Date.now());
  const when =
    again === null
      ? "Ask your administrator for more."
      : `It resets on ${again.slice(0, 10)}. Wait, or ask your administrator for more.`;
  return new TooManyRequests("budget_exceeded", `The budget "${name}" is used up. ${when}`, wait, {
    details: { name, resetsAt: again, ...state },
  });
}
