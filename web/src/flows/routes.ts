import { createRoute } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const flows = createRoute({
  getParentRoute: () => appRoute,
  path: "/flows",
  component: lazyPart(() => import("./page.tsx"), "FlowsPage"),
});

const account = createRoute({
  getParentRoute: () => appRoute,
  path: "/flows/account",
  component: lazyPart(() => import("./account-page.tsx"), "AccountPage"),
});

const flow = createRoute({
  getParentRoute: () => appRoute,
  path: "/flows/$id",
  component: lazyPart(() => import("./flow-page.tsx"), "FlowPage"),
});

export const flowRoutes = [flows, account, flow];
