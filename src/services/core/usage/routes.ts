import { type User, userOf } from "../../../platform/http/caller.ts";
import { operates } from "../../../platform/http/guard.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { admissionContract } from "../contract-admission.ts";
import type { PermittedUse } from "../permitted-use.ts";
import type { ActingUsers } from "../acting-users.ts";
import type { Sharing } from "../sharing.ts";
import { affordModel } from "./afford-model.ts";
import { isFree } from "../../completion/contract-is-free.ts";
import type { Budgets } from "./budgets.ts";
import { usageContract as contract } from "./contract.ts";
import { nameBudgets, createNamesOf, type NamesDeps } from "./describe-budgets.ts";
import { sumUsage } from "./sum-usage.ts";

interface Deps extends NamesDeps {
  budgets: Budgets;
  use: PermittedUse;
  sharing: Pick<Sharing, "groupNames">;
  actingUsers: Pick<ActingUsers, "find">;
}

/** Usage reports, and checks against budgets. */
export function usageRoutes(routes: Routes, deps: Deps): void {
  const { db, budgets, use, findNames, sharing, actingUsers } = deps;
  const describing = { db, findNames, groupNames: sharing.groupNames };
  const namesOf = createNamesOf(deps);
  routes
    .on(contract.usage, async ({ caller, query }) => {
      const user = userOf(caller);
      const userId = operates(caller, "budget:administer") ? query.userId : user.userId;
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
    .on(contract.ownBudgets, async ({ caller }) => {
      const { userId, clientId } = userOf(caller);
      const states = await budgets.statesOf({ userId });
      return { budgets: await nameBudgets(describing, states, clientId) };
    })
    .on(admissionContract.admitRun, async ({ body }) => {
      const { model, mayReplace, isFree: hasNoPrice = false, ...of } = body;
      const user: User = { kind: "user", via: "jwt", name: "", ...of };
      const asked = model === undefined ? undefined : await use.chooseModel(user, model);
      const { unpaid } = await budgets.admit({ userId: user.userId });
      const isRefused = asked ? !mayReplace && !isFree(asked) : !hasNoPrice;
      if (unpaid && isRefused) throw unpaid;
      if (!asked) return { budgets: await budgets.ofRun(undefined, null) };
      const { chosen, answeredBy } = await affordModel(use, user, asked, unpaid);
      const limits = await budgets.ofRun(undefined, chosen.pricing);
      return { budgets: limits, ...(answeredBy && { answeredBy }) };
    })
    .on(admissionContract.listFallbacks, async ({ body: { model, userId, agentId } }) => {
      const user = userId ? await actingUsers.find(userId) : undefined;
      const permitted = await use.listFallbacks(user, model);
      const models = await budgets.afford({ userId, agentId }, permitted);
      return { models: models.map(({ id }) => id) };
    });
}
