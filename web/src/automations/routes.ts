import { createRoute } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { isScope, isStatus, type RuleFilter, type RunFilter } from "./filters.ts";
import { numberIn } from "../shell/search-params.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const rules = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations",
  validateSearch: ({ q, scope }: Record<string, unknown>): RuleFilter => ({
    ...(typeof q === "string" && { q }),
    ...(isScope(scope) && { scope }),
  }),
  component: lazyPart(() => import("./rules/page.tsx"), "RulesPage"),
});

const newRule = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/new",
  component: lazyPart(() => import("./rules/editor.tsx"), "NewRulePage"),
});

const rule = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/$id",
  component: lazyPart(() => import("./rules/rule-page.tsx"), "RulePage"),
});

const ruleStart = createRoute({
  getParentRoute: () => rule,
  path: "/",
  component: lazyPart(() => import("./rules/editor.tsx"), "RuleEditor"),
});

const runsOfRule = createRoute({
  getParentRoute: () => rule,
  path: "runs",
  component: lazyPart(() => import("./rules/runs.tsx"), "RuleRuns"),
});

const runs = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/runs",
  validateSearch(search: Record<string, unknown>): RunFilter {
    const { state, source, schedule } = search;
    const rule = numberIn(search["rule"]);
    return {
      ...(isStatus(state) && { state }),
      ...(rule !== undefined && { rule }),
      ...(typeof source === "string" && { source }),
      ...(typeof schedule === "string" && { schedule }),
    };
  },
  component: lazyPart(() => import("./runs/page.tsx"), "RunsPage"),
});

const run = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/runs/$id",
  validateSearch: ({ agent }: Record<string, unknown>): { agent?: string | undefined } => ({
    ...(typeof agent === "string" && { agent }),
  }),
  component: lazyPart(() => import("./runs/run-page.tsx"), "RunPage"),
});

const sources = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/sources",
  component: lazyPart(() => import("./sources/page.tsx"), "SourcesPage"),
});

const source = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/sources/$id",
  component: lazyPart(() => import("./sources/source-page.tsx"), "SourcePage"),
});

const schedules = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/schedules",
  component: lazyPart(() => import("./schedules/page.tsx"), "SchedulesPage"),
});

const newSchedule = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/schedules/new",
  component: lazyPart(() => import("./schedules/editor.tsx"), "NewSchedulePage"),
});

const schedule = createRoute({
  getParentRoute: () => appRoute,
  path: "/automations/schedules/$id",
  component: lazyPart(() => import("./schedules/editor.tsx"), "SchedulePage"),
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
