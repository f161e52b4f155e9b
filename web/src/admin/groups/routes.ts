import { type AnyRoute, createRoute } from "@tanstack/react-router";
import { lazyPart } from "../../ui/lazy-part.ts";

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
    component: lazyPart(() => import("./page.tsx"), "GroupsPage"),
  });
  const group = createRoute({
    getParentRoute: () => parent,
    path: "groups/$id",
    validateSearch,
    component: lazyPart(() => import("./group-page.tsx"), "GroupPage"),
  });
  return [list, group];
}
