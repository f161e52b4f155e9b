import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

export function flowAdminRoutes<Admin extends AnyRoute>(admin: Admin) {
  return [
    createRoute({
      getParentRoute: () => admin,
      path: "flows",
      validateSearch: ({
        flow,
      }: Record<string, unknown>): { flow?: string | undefined } => ({
        ...(typeof flow === "string" && { flow }),
      }),
      component: lazyRouteComponent(() => import("./page.tsx"), "FlowPermissionsPage"),
    }),
  ] as const;
}
