import { type AnyRoute, createRoute, redirect } from "@tanstack/react-router";
import { lazyPart } from "../../ui/lazy-part.ts";

export interface ToolsSearch {
  q?: string;
  server?: string;
}

export function toolRoutes<Parent extends AnyRoute>(parent: Parent) {
  const tools = createRoute({
    getParentRoute: () => parent,
    path: "tools",
    component: lazyPart(() => import("./page.tsx"), "ToolsPage"),
  });
  const start = createRoute({
    getParentRoute: () => tools,
    path: "/",
    beforeLoad() {
      throw redirect({ to: "/admin/tools/servers", replace: true });
    },
  });
  const servers = createRoute({
    getParentRoute: () => tools,
    path: "servers",
    component: lazyPart(() => import("./servers.tsx"), "ToolServers"),
  });
  const list = createRoute({
    getParentRoute: () => tools,
    path: "list",
    validateSearch: ({ q, server }: Record<string, unknown>): ToolsSearch => ({
      ...(typeof q === "string" && { q }),
      ...(typeof server === "string" && { server }),
    }),
    component: lazyPart(() => import("./tools.tsx"), "Tools"),
  });
  const changed = createRoute({
    getParentRoute: () => tools,
    path: "changed",
    component: lazyPart(() => import("./changed.tsx"), "ChangedTools"),
  });
  // where they stood before
  const engines = createRoute({
    getParentRoute: () => tools,
    path: "engines",
    beforeLoad() {
      throw redirect({ to: "/admin/web-search", replace: true });
    },
  });
  return [tools.addChildren([start, servers, list, changed, engines])];
}
