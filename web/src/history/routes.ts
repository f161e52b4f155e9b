import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";

const history = createRoute({
  getParentRoute: () => appRoute,
  path: "/history",
  validateSearch: ({ q, tag }: Record<string, unknown>): { q?: string; tag?: string } => ({
    ...(typeof q === "string" && { q }),
    ...(typeof tag === "string" && { tag }),
  }),
  component: lazyRouteComponent(() => import("./page.tsx"), "HistoryPage"),
});

const trash = createRoute({
  getParentRoute: () => appRoute,
  path: "/trash",
  component: lazyRouteComponent(() => import("./trash-page.tsx"), "TrashPage"),
});

export const historyRoutes = [history, trash];
