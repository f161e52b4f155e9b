import type { Database } from "../../../platform/db/database.ts";
import { isOperator, type User, userOf } from "../../../platform/http/caller.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import {
  findBudget,
  insertBudget,
  listBudgets,
  listSpenders,
  removeBudget,
  updateBudget,
} from "./budgets-store.ts";
import { admissionContract } from "../contract-admission.ts";
import type { PermittedUse } from "../permitted-use.ts";
import type { Sharing } from "../sharing.ts";
import type { FindNames } from "../user-names.ts";
import type { Budgets } from "./budgets.ts";
import { usageContract as contract } from "./contract.ts";
import { agentNames, describeBudgets } from "./describe-budgets.ts";
import { periodStart } from "./periods.ts";
import { sumUsage } from "./sum-usage.ts";

interface Deps {
  db: Database;
  budgets: Budgets;
  use: PermittedUse;
  findNames: FindNames;
  sharing: Pick<Sharing, "groupNames">;
}

export function usageRoutes(
  routes: Routes,
  { db, budgets, use, findNames, sharing }: Deps,
): void {
  const announce = async <Result>(change: Promise<Result>): Promise<Result> => {
    const result = await change;
    await budgets.announceChange();
    return result;
  };
  /** Names of users or agents by id. Others have none. */
  const namesOf = async (kind: string, ids: readonly string[], clientId: string) => {
    if (kind === "user" || kind === "group") return findNames(ids, clientId);
    if (kind === "agent") return agentNames(db, ids, clientId);
    return new Map<string, string>();
  };
  const describing = { db, findNames, groupNames: sharing.groupNames };
  routes
    .on(contract.usage, async ({ caller, query }) => {
      const user = userOf(caller);
      const userId = isOperator(caller) ? query.userId : user.userId;
      const offset = offsetOf(query);
      const { items, total } = await sumUsage(db, { ...query, userId, offset });
      const groups = items.map(({ group }) => group);
      const names = await namesOf(query.groupBy, groups, user.clientId);
      return {
        items: items.map((sum) => ({ ...sum, name: names.get(sum.group) ?? null })),
        total,
        page: query.page,
        limit: query.limit,
      };
    })
    .on(contract.ownBudgets, async ({ caller }) => ({
      budgets: await budgets.statesOf({ userId: userOf(caller).userId }),
    }))
    .on(admissionContract.admitRun, async ({ body: { model, ...of } }) => {
      const user: User = { kind: "user", via: "jwt", name: "", ...of };
      const { pricing } = await use.chooseModel(user, model);
      await budgets.check({ userId: user.userId });
      return { budgets: await budgets.ofRun(undefined, pricing) };
    })
    .on(contract.listBudgets, async ({ caller, query }) => {
      const { items, total } = await listBudgets(db, query.limit, offsetOf(query));
      const described = await describeBudgets(describing, items, userOf(caller).clientId);
      return { items: described, total, page: query.page, limit: query.limit };
    })
    .on(contract.createBudget, ({ caller, body }) =>
      announce(insertBudget(db, body, userOf(caller).userId)),
    )
    .on(contract.getBudget, ({ params }) => findBudget(db, params.id))
    .on(contract.budgetSpending, async ({ caller, params, query }) => {
      const { id, period, subjectType } = await findBudget(db, params.id);
      const spenders = await listSpenders(
        db,
        id,
        periodStart(period, new Date()),
        query.limit,
        offsetOf(query),
      );
      const ids = spenders.items.map(({ spender }) => spender);
      const names = await namesOf(subjectType, ids, userOf(caller).clientId);
      const items = spenders.items.map((item) => ({
        ...item,
        name: names.get(item.spender) ?? null,
      }));
      return { items, total: spenders.total, page: query.page, limit: query.limit };
    })
    .on(contract.changeBudget, ({ params, body }) =>
      announce(updateBudget(db, params.id, body)),
    )
    .on(contract.deleteBudget, ({ params }) => announce(removeBudget(db, params.id)));
}
