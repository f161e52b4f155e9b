import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import { TooManyRequests } from "../../../platform/http/errors.ts";
import type { RunBudget } from "../../agent-loop/contract-budget.ts";
import { isFree, type Priced } from "../../completion/contract-is-free.ts";
import type { Transaction } from "../../completion/contract.ts";
import type { Pricing } from "../../completion/contract-catalogue.ts";
import { activeBudgets, readSpending, type Spending } from "./budgets-store.ts";
import type { Budget, BudgetState } from "./contract.ts";
import { periodStart, resetsAt, startsAt } from "./periods.ts";

const CHANNEL = "budgets-changed";
/**
 * The longest time for which a change of budgets or of groups' members stays unseen when its
 * notification is lost.
 */
const MAX_AGE_MS = 30_000;

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
   * @returns budgets that are nearly used up and, where only budgets in money are used up, the
   * refusal for models that have a price.
   * @throws TooManyRequests `budget_exceeded`.
   */
  admit(user: User): Promise<{ warnings: BudgetState[]; unpaid?: TooManyRequests }>;
  /** The same for what may not be replaced by something without a price. */
  check(user: User): Promise<BudgetState[]>;
  /** Those of the models that may be used now: where only money is used up, what costs nothing. */
  afford<Model extends Priced>(user: User, models: readonly Model[]): Promise<Model[]>;
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
  spendingOf(records: readonly Transaction[]): Promise<SpendingByCosts>;
  /** Call it after every change of a budget. */
  announceChange(): Promise<void>;
}

interface Deps {
  db: Database;
  cache: Cache;
  /** Returns the users of a group and of the groups within it. */
  membersOf: (groupId: string) => Promise<ReadonlySet<string>>;
}

/** A budget that applies to a use, and the line of its account that the use is charged to. */
interface Charge {
  budget: Budget;
  line: Omit<Spending, "spent">;
}

type SpendingByCosts = (costs: ReadonlyMap<string, number | null>) => Spending[];

export async function createBudgets({ db, cache, membersOf }: Deps): Promise<Budgets> {
  const known = new KnownBudgets(db, membersOf);
  const subscription = await cache.subscribe(CHANNEL, () => known.forget());

  async function statesOf(user: User): Promise<BudgetState[]> {
    const now = new Date();
    const charges = await chargesOf(known, user, now);
    const lines = charges.map(({ line }) => line);
    const spent = await readSpending(db, lines);
    return charges.map(({ budget }, index) => toState(budget, spent[index] ?? 0, now));
  }

  const admit: Budgets["admit"] = async (user) => {
    const states = await statesOf(user);
    const used = states.filter((state) => state.exceeded);
    const ofTokens = used.find(({ unit }) => unit === "tokens");
    if (ofTokens) throw exceeded(ofTokens);
    const [money] = used;
    const warnings = states.filter(({ warn }) => warn);
    return { warnings, ...(money && { unpaid: exceeded(money) }) };
  };

  return {
    any: async () => (await known.all()).length > 0,
    statesOf,
    admit,
    async check(user) {
      const { warnings, unpaid } = await admit(user);
      if (unpaid) throw unpaid;
      return warnings;
    },
    async afford(user, models) {
      if (models.length === 0) return [];
      const used = (await statesOf(user)).filter((state) => state.exceeded);
      if (used.length === 0) return [...models];
      return used.some(({ unit }) => unit === "tokens") ? [] : models.filter(isFree);
    },
    async ofRun(agentId, pricing) {
      const budgets = await known.all();
      return budgets
        .filter(
          ({ subjectType, subjectId }) =>
            subjectType === "run" && (subjectId === "*" || subjectId === agentId),
        )
        .flatMap((budget) => toRunBudget(budget, pricing));
    },
    spendingOf: (records) => spendingOf(known, records),
    async announceChange() {
      await cache.publish(CHANNEL, "");
    },
    [Symbol.asyncDispose]: () => subscription[Symbol.asyncDispose](),
  };
}

/** Caches the enabled budgets and the members of their groups until a change is announced. */
class KnownBudgets {
  readonly #db: Database;
  readonly #membersOf: Deps["membersOf"];
  #cached:
    | {
        until: number;
        budgets: Promise<Budget[]>;
        members: Map<string, Promise<ReadonlySet<string>>>;
      }
    | undefined;

  constructor(db: Database, membersOf: Deps["membersOf"]) {
    this.#db = db;
    this.#membersOf = membersOf;
  }

  all(): Promise<Budget[]> {
    return this.#current().budgets;
  }

  async isInGroup(userId: string, groupId: string): Promise<boolean> {
    const { members } = this.#current();
    const group = members.get(groupId) ?? this.#membersOf(groupId);
    members.set(groupId, group);
    group.catch(() => members.delete(groupId));
    return (await group).has(userId);
  }

  forget(): void {
    this.#cached = undefined;
  }

  #current() {
    if (this.#cached && this.#cached.until >= performance.now()) return this.#cached;
    const budgets = activeBudgets(this.#db);
    budgets.catch(() => this.forget());
    this.#cached = { until: performance.now() + MAX_AGE_MS, budgets, members: new Map() };
    return this.#cached;
  }
}

/** Returns the subject that a use is charged to; `undefined` when the budget does not apply. */
async function spenderOf(
  known: KnownBudgets,
  { subjectType, subjectId, share }: Budget,
  { userId, agentId }: User,
): Promise<string | undefined> {
  const includes = (id: string) => subjectId === "*" || subjectId === id;
  if (subjectType === "run") return undefined;
  if (subjectType === "agent")
    return agentId !== undefined && includes(agentId) ? agentId : undefined;
  if (userId === undefined) return undefined;
  if (subjectType === "user") return includes(userId) ? userId : undefined;
  if (!(await known.isInGroup(userId, subjectId))) return undefined;
  return share === "pool" ? "pool" : userId;
}

async function chargesOf(known: KnownBudgets, user: User, at: Date): Promise<Charge[]> {
  const charges: Charge[] = [];
  for (const budget of await known.all()) {
    const spender = await spenderOf(known, budget, user);
    if (spender === undefined) continue;
    const line = {
      budgetId: budget.id,
      spender,
      periodStart: periodStart(budget.period, at),
    };
    charges.push({ budget, line });
  }
  return charges;
}

async function spendingOf(
  known: KnownBudgets,
  records: readonly Transaction[],
): Promise<SpendingByCosts> {
  const charged = new Map<string, { record: Transaction; charges: Charge[] }>();
  for (const record of records) {
    const charges = await chargesOf(known, record, new Date(record.createdAt));
    charged.set(record.id, { record, charges });
  }
  return (costs) =>
    [...costs].flatMap(([id, cost]) => {
      const { record, charges = [] } = charged.get(id) ?? {};
      const tokens = (record?.inputTokens ?? 0) + (record?.outputTokens ?? 0);
      return charges.flatMap(({ budget, line }) => {
        const spent = budget.unit === "tokens" ? tokens : (cost ?? 0);
        return spent > 0 ? [{ ...line, spent }] : [];
      });
    });
}

function toState(budget: Budget, spent: number, now: Date): BudgetState {
  const { id: budgetId, name, unit, amount, warnAt, period } = budget;
  const { subjectType, subjectId, share, createdBy, createdAt } = budget;
  return {
    budgetId,
    subjectType,
    subjectId,
    share,
    period,
    createdBy,
    createdAt,
    name,
    unit,
    amount,
    spent,
    warn: spent >= amount * warnAt,
    exceeded: spent >= amount,
    startsAt: startsAt(period, now),
    resetsAt: resetsAt(period, now),
  };
}

/** Without a price, a budget in money does not limit a run. */
function toRunBudget({ unit, amount }: Budget, pricing: Pricing | null): RunBudget[] {
  if (unit === "tokens") return [{ amount, inputPrice: 1, outputPrice: 1 }];
  if (!pricing) return [];
  const { inputPerMillion, outputPerMillion } = pricing;
  const { cachedInputPerMillion, cacheWriteInputPerMillion } = pricing;
  return [
    {
      amount,
      inputPrice: inputPerMillion / 1e6,
      outputPrice: outputPerMillion / 1e6,
      ...(cachedInputPerMillion !== undefined && {
        cachedInputPrice: cachedInputPerMillion / 1e6,
      }),
      ...(cacheWriteInputPerMillion !== undefined && {
        cacheWriteInputPrice: cacheWriteInputPerMillion / 1e6,
      }),
    },
  ];
}

function exceeded({ name, resetsAt: again, ...state }: BudgetState): TooManyRequests {
  const wait =
    again === null ? 86_400_000 : Math.max(1_000, Date.parse(again) - Date.now());
  const when =
    again === null
      ? "Ask your administrator for more."
      : `It resets on ${again.slice(0, 10)}. Wait, or ask your administrator for more.`;
  return new TooManyRequests(
    "budget_exceeded",
    `The budget "${name}" is used up. ${when}`,
    wait,
    { params: { name }, details: { name, resetsAt: again, ...state } },
  );
}
