import { createRoute } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { readReport } from "./report.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const usage = createRoute({
  getParentRoute: () => appRoute,
  path: "/usage",
  component: lazyPart(() => import("./frame.tsx"), "UsageFrame"),
});

const report = createRoute({
  getParentRoute: () => usage,
  path: "/",
  validateSearch: readReport,
  component: lazyPart(() => import("./page.tsx"), "UsagePage"),
});

const budgets = createRoute({
  getParentRoute: () => usage,
  path: "budgets",
  component: lazyPart(() => import("./budgets-page.tsx"), "BudgetsPage"),
});

export const usageRoutes = [usage.addChildren([report, budgets])];
