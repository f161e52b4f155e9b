import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

export interface RoleSearch {
  /** A new role begins as a copy of this one. */
  from?: string;
}

export function roleRoutes<Parent extends AnyRoute>(parent: Parent) {
  const list = createRoute({
    getParentRoute: () => parent,
    path: "roles",
    component: lazyRouteComponent(() => import("./page.tsx"), "RolesPage"),
  });
  const create = createRoute({
    getParentRoute: () => parent,
    path: "new-role",
    validateSearch: ({ from }: Record<string, unknown>): RoleSearch => ({
      ...(typeof from === "string" && { from }),
    }),
    component: lazyRouteComponent(() => import("./new-role.tsx"), "NewRole"),
  });
  const role = createRoute({
    getParentRoute: () => parent,
    path: "roles/$name",
    component: lazyRouteComponent(() => import("./role-page.tsx"), "RolePage"),
  });
  return [list, create, role];
}
