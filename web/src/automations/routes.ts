import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import type { RuleFilter } from "./rules/queries.ts";
import { isScope } from "./rules/scopes.ts";
import type { RunFilter } from "./runs/queries.ts";
import { isStatus } from "./runs/statuses.ts";

const rules = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations",
  validateSearch: ({ q, scope }: Record<string, unknown>): RuleFilter => ({
    ...(typeof q === "string" && { q }),
    ...(isScope(scope) && { scope }),
  }),
  component: lazyRouteComponent(() => import("./rules/page.tsx"), "RulesPage"),
});

const newRule = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/new",
  component: lazyRouteComponent(() => import("./rules/editor-page.tsx"), "NewRulePage"),
});

const rule = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/$id",
  component: lazyRouteComponent(() => import("./rules/rule-page.tsx"), "RulePage"),
});

const ruleStart = createRoute({
  getParentRoute: () => rule,
  path: "/",
  component: lazyRouteComponent(() => import("./rules/editor-page.tsx"), "RuleEditor"),
});

const runsOfRule = createRoute({
  getParentRoute: () => rule,
  path: "runs",
  component: lazyRouteComponent(() => import("./rules/runs.tsx"), "RuleRuns"),
});

const runs = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/runs",
  validateSearch: ({
    state,
    rule,
    source,
    schedule,
  }: Record<string, unknown>): RunFilter => ({
    ...(isStatus(state) && { state }),
    ...(typeof rule === "number" && { rule }),
    ...(typeof source === "string" && { source }),
    ...(typeof schedule === "string" && { schedule }),
  }),
  component: lazyRouteComponent(() => import("./runs/page.tsx"), "RunsPage"),
});

const run = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/runs/$id",
  validateSearch: ({ agent }: Record<string, unknown>): { agent?: string | undefined } => ({
    ...(typeof agent === "string" && { agent }),
  }),
  component: lazyRouteComponent(() => import("./runs/run-page.tsx"), "RunPage"),
});

const sources = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/sources",
  component: lazyRouteComponent(() => import("./sources/page.tsx"), "SourcesPage"),
});

const source = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/sources/$id",
  component: lazyRouteComponent(() => import("./sources/source-page.tsx"), "SourcePage"),
});

const schedules = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/schedules",
  component: lazyRouteComponent(() => import("./schedules/page.tsx"), "SchedulesPage"),
});

const newSchedule = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/schedules/new",
  component: lazyRouteComponent(
    () => import("./schedules/editor-page.tsx"),
    "NewSchedulePage",
  ),
});

const schedule = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/schedules/$id",
  component: lazyRouteComponent(
    () => import("./schedules/editor-page.tsx"),
    "SchedulePage",
  ),
});

export const automationRoutes = [
  rules,
  newRule,
  rule.addChildren([ruleStart, runsOfRule]),
  runs,
  run,
  sources,
  source,
  schedules,
  newSchedule,
  schedule,
];
