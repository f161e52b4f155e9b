import { userOf } from "../../../platform/http/caller.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { Sharing } from "../sharing.ts";
import type { Budgets } from "./budgets.ts";
import {
  findBudget,
  insertBudget,
  listBudgets,
  listSpenders,
  removeBudget,
  updateBudget,
} from "./budgets-store.ts";
import { usageContract as contract } from "./contract.ts";
import { describeBudgets, createNamesOf, type NamesDeps } from "./describe-budgets.ts";
import { periodStart } from "./periods.ts";

interface Deps extends NamesDeps {
  budgets: Pick<Budgets, "announceChange">;
  sharing: Pick<Sharing, "groupNames" | "requireGroup">;
}

/** Administration of budgets. */
export function budgetsRoutes(routes: Routes, deps: Deps): void {
  const { db, budgets, findNames, sharing } = deps;
  const announce = async <Result>(change: Promise<Result>): Promise<Result> => {
    const result = await change;
    await budgets.announceChange();
    return result;
  };
  const namesOf = createNamesOf(deps);
  const describing = { db, findNames, groupNames: sharing.groupNames };
  routes
    .on(contract.listBudgets, async ({ caller, query }) => {
      const { items, total } = await listBudgets(db, query.limit, offsetOf(query));
      const described = await describeBudgets(describing, items, userOf(caller).clientId);
      return { items: described, total, page: query.page, limit: query.limit };
    })
    .on(contract.createBudget, async ({ caller, body }) => {
      if (body.subjectType === "group") await sharing.requireGroup(body.subjectId);
      return announce(insertBudget(db, body, userOf(caller).userId));
    })
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
