import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

export interface GroupsSearch {
  q?: string;
}

const validateSearch = ({ q }: Record<string, unknown>): GroupsSearch =>
  typeof q === "string" ? { q } : {};

export function groupRoutes<Parent extends AnyRoute>(parent: Parent) {
  const list = createRoute({
    getParentRoute: () => parent,
    path: "groups",
    validateSearch,
    component: lazyRouteComponent(() => import("./page.tsx"), "GroupsPage"),
  });
  const group = createRoute({
    getParentRoute: () => parent,
    path: "groups/$id",
    validateSearch,
    component: lazyRouteComponent(() => import("./group-page.tsx"), "GroupPage"),
  });
  return [list, group];
}
