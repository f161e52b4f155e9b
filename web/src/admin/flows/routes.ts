import { type AnyRoute, createRoute } from "@tanstack/react-router";
import { lazyPart } from "../../ui/lazy-part.ts";

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
      component: lazyPart(() => import("./page.tsx"), "FlowPermissionsPage"),
    }),
  ] as const;
}
