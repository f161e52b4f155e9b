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
import type { FindNames } from "../user-names.ts";
import type { Budgets } from "./budgets.ts";
import { usageContract as contract } from "./contract.ts";
import { periodStart } from "./periods.ts";
import { sumUsage } from "./sum-usage.ts";

interface Deps {
  db: Database;
  budgets: Budgets;
  use: PermittedUse;
  findNames: FindNames;
}

export function usageRoutes(routes: Routes, { db, budgets, use, findNames }: Deps): void {
  const announce = async <Result>(change: Promise<Result>): Promise<Result> => {
    const result = await change;
    await budgets.announceChange();
    return result;
  };
  const withNames = async <Item extends object>(
    items: readonly Item[],
    idOf: (item: Item) => string | undefined,
    clientId: string,
  ) => {
    const names = await findNames(
      items.flatMap((item) => idOf(item) ?? []),
      clientId,
    );
    return items.map((item) => ({ ...item, name: names.get(idOf(item) ?? "") ?? null }));
  };
  routes
    .on(contract.usage, async ({ caller, query }) => {
      const userId = isOperator(caller) ? undefined : userOf(caller).userId;
      const sums = await sumUsage(db, {
        ...query,
        userId,
        from: query.from,
        to: query.to,
        offset: offsetOf(query),
      });
      const isByUser = query.groupBy === "user";
      const idOf = ({ group }: { group: string }) => (isByUser ? group : undefined);
      const items = await withNames(sums.items, idOf, userOf(caller).clientId);
      return { items, total: sums.total, page: query.page, limit: query.limit };
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
    .on(contract.listBudgets, async ({ query }) => ({
      ...(await listBudgets(db, query.limit, offsetOf(query))),
      page: query.page,
      limit: query.limit,
    }))
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
      const isByUser = subjectType === "user" || subjectType === "group";
      const idOf = ({ spender }: { spender: string }) => (isByUser ? spender : undefined);
      const items = await withNames(spenders.items, idOf, userOf(caller).clientId);
      return { items, total: spenders.total, page: query.page, limit: query.limit };
    })
    .on(contract.changeBudget, ({ params, body }) => announce(updateBudget(db, params.id, body)))
    .on(contract.deleteBudget, ({ params }) => announce(removeBudget(db, params.id)));
}
