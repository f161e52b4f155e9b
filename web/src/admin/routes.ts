import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";

const admin = createRoute({
  getParentRoute: () => appRoute,
  path: "/admin",
  component: lazyRouteComponent(() => import("./page.tsx"), "AdminPage"),
});

const start = createRoute({
  getParentRoute: () => admin,
  path: "/",
  component: lazyRouteComponent(() => import("./page.tsx"), "AdminStart"),
});

export const adminRoutes = [admin.addChildren([start])];
