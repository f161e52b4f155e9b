import { type AnyRoute, createRoute, redirect } from "@tanstack/react-router";
import { lazyPart } from "../../ui/lazy-part.ts";

export interface UsersSearch {
  q?: string;
  role?: string;
  state?: "active" | "disabled";
}

export interface ExternalSearch {
  q?: string;
  state?: "active" | "disabled";
}

export function userRoutes<Parent extends AnyRoute>(parent: Parent) {
  const list = createRoute({
    getParentRoute: () => parent,
    path: "users",
    validateSearch: ({ q, role, state }: Record<string, unknown>): UsersSearch => ({
      ...(typeof q === "string" && { q }),
      ...(typeof role === "string" && { role }),
      ...((state === "active" || state === "disabled") && { state }),
    }),
    component: lazyPart(() => import("./page.tsx"), "UsersPage"),
  });
  const external = createRoute({
    getParentRoute: () => parent,
    path: "users/external",
    validateSearch: ({ q, state }: Record<string, unknown>): ExternalSearch => ({
      ...(typeof q === "string" && { q }),
      ...((state === "active" || state === "disabled") && { state }),
    }),
    component: lazyPart(() => import("./external-page.tsx"), "ExternalUsersPage"),
  });
  const deleted = createRoute({
    getParentRoute: () => parent,
    path: "users/deleted",
    component: lazyPart(() => import("./deleted-page.tsx"), "DeletedUsersPage"),
  });
  const provisioning = createRoute({
    getParentRoute: () => parent,
    path: "users/provisioning",
    component: lazyPart(() => import("./provisioning-page.tsx"), "ProvisioningPage"),
  });
  const programs = createRoute({
    getParentRoute: () => parent,
    path: "users/programs",
    component: lazyPart(() => import("./programs-page.tsx"), "ProgramsPage"),
  });
  const user = createRoute({
    getParentRoute: () => parent,
    path: "users/$id",
    component: lazyPart(() => import("./user-page.tsx"), "UserPage"),
  });
  const start = createRoute({
    getParentRoute: () => user,
    path: "/",
    beforeLoad({ params }) {
      const { id } = params as { id: string }; // of the parent's path
      throw redirect({ to: "/admin/users/$id/account", params: { id }, replace: true });
    },
  });
  const account = createRoute({
    getParentRoute: () => user,
    path: "account",
    component: lazyPart(() => import("./account.tsx"), "Account"),
  });
  const access = createRoute({
    getParentRoute: () => user,
    path: "access",
    component: lazyPart(() => import("./access.tsx"), "Access"),
  });
  return [
    list,
    external,
    deleted,
    provisioning,
    programs,
    user.addChildren([start, account, access]),
  ];
}
