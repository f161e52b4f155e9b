import { type AnyRoute, createRoute } from "@tanstack/react-router";
import { lazyPart } from "../../ui/lazy-part.ts";

export interface RoleSearch {
  /** A new role begins as a copy of this one. */
  from?: string;
}

export function roleRoutes<Parent extends AnyRoute>(parent: Parent) {
  const list = createRoute({
    getParentRoute: () => parent,
    path: "roles",
    component: lazyPart(() => import("./page.tsx"), "RolesPage"),
  });
  const create = createRoute({
    getParentRoute: () => parent,
    path: "new-role",
    validateSearch: ({ from }: Record<string, unknown>): RoleSearch => ({
      ...(typeof from === "string" && { from }),
    }),
    component: lazyPart(() => import("./new-role.tsx"), "NewRole"),
  });
  const role = createRoute({
    getParentRoute: () => parent,
    path: "roles/$name",
    component: lazyPart(() => import("./role-page.tsx"), "RolePage"),
  });
  return [list, create, role];
}
