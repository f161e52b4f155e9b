import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";

const flows = createRoute({
  getParentRoute: () => appRoute,
  path: "/flows",
  component: lazyRouteComponent(() => import("./page.tsx"), "FlowsPage"),
});

const account = createRoute({
  getParentRoute: () => appRoute,
  path: "/flows/account",
  component: lazyRouteComponent(() => import("./account-page.tsx"), "AccountPage"),
});

const flow = createRoute({
  getParentRoute: () => appRoute,
  path: "/flows/$id",
  component: lazyRouteComponent(() => import("./flow-page.tsx"), "FlowPage"),
});

export const flowRoutes = [flows, account, flow];
