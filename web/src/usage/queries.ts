import { queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../src/platform/http/route.ts";
import { usageContract } from "../../../src/services/core/usage/contract.ts";
import { call } from "../api/call.ts";
import { pagedQuery } from "../shell/paged.ts";
import { wordAgentName } from "../texts/built-in-agents.ts";
import { firstDay, ownTimeZone } from "./days.ts";
import type { Group } from "./report.ts";

const PAGE = 50;
/** More than the days of the longest report. */
const MAX_DAYS = 100;

export type Budget = RouteOk<typeof usageContract.listBudgets>["items"][number];
export type BudgetState = RouteOk<typeof usageContract.ownBudgets>["budgets"][number];
export type NewBudget = RouteInput<typeof usageContract.createBudget>["body"];
export type BudgetChange = RouteInput<typeof usageContract.changeBudget>["body"];

interface DaysAsked {
  days: number;
  by: Group;
  only: string | undefined;
}

export function daysQuery({ days, by, only }: DaysAsked) {
  const narrowed = only === undefined ? {} : narrow(by, only);
  return queryOptions({
    queryKey: ["usage", "days", days, by, only ?? ""],
    queryFn: ({ signal }) =>
      call(
        usageContract.usage,
        {
          query: {
            groupBy: "day",
            from: firstDay(days),
            timeZone: ownTimeZone(),
            limit: MAX_DAYS,
            ...narrowed,
          },
        },
        { signal },
      ),
  });
}

function narrow(by: Group, only: string) {
  if (by === "model") return { model: only };
  if (by === "user") return { userId: only };
  return { agentId: only === "" ? "none" : only };
}

export function groupsQuery({ days, by }: { days: number; by: Group }) {
  return pagedQuery({
    queryKey: ["usage", "groups", by],
    filter: [days],
    async load(page, signal) {
      const query = {
        groupBy: by,
        from: firstDay(days),
        timeZone: ownTimeZone(),
        page,
        limit: PAGE,
      };
      const found = await call(usageContract.usage, { query }, { signal });
      const items = found.items.map((sum) => ({
        ...sum,
        name: wordAgentName(sum.group, sum.name),
      }));
      return { ...found, items };
    },
    keyOf: ({ group }) => group,
  });
}

export const budgetsQuery = pagedQuery({
  queryKey: ["budgets", "all"],
  load: (page, signal) =>
    call(usageContract.listBudgets, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ id }) => id,
});

export function budgetQuery(id: string) {
  return queryOptions({
    queryKey: ["budgets", "one", id],
    queryFn: ({ signal }) => call(usageContract.getBudget, { params: { id } }, { signal }),
  });
}

export function spendersQuery(id: string) {
  return pagedQuery({
    queryKey: ["budgets", "spenders", id],
    async load(page, signal) {
      const input = { params: { id }, query: { page, limit: PAGE } };
      const found = await call(usageContract.budgetSpending, input, { signal });
      const items = found.items.map((one) => ({
        ...one,
        name: wordAgentName(one.spender, one.name),
      }));
      return { ...found, items };
    },
    keyOf: ({ spender }) => spender,
  });
}

export function createBudget(body: NewBudget) {
  return call(usageContract.createBudget, { body });
}

export function changeBudget(id: string, body: BudgetChange) {
  return call(usageContract.changeBudget, { params: { id }, body });
}

export function deleteBudget(id: string) {
  return call(usageContract.deleteBudget, { params: { id } });
}
