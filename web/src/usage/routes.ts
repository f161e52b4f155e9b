import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { readReport } from "./report.ts";

const usage = createRoute({
  getParentRoute: () => appRoute,
  path: "/usage",
  component: lazyRouteComponent(() => import("./frame.tsx"), "UsageFrame"),
});

const report = createRoute({
  getParentRoute: () => usage,
  path: "/",
  validateSearch: readReport,
  component: lazyRouteComponent(() => import("./page.tsx"), "UsagePage"),
});

const budgets = createRoute({
  getParentRoute: () => usage,
  path: "budgets",
  component: lazyRouteComponent(() => import("./budgets-page.tsx"), "BudgetsPage"),
});

export const usageRoutes = [usage.addChildren([report, budgets])];
