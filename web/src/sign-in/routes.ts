import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../shell/app-route.ts";

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: ({ next }: { next?: unknown }): { next?: string } =>
    isPath(next) ? { next } : {},
  component: lazyRouteComponent(() => import("./page.tsx"), "SignInPage"),
});

/** A path of this app, never another site. */
function isPath(value: unknown): value is string {
  return typeof value === "string" && /^\/(?![/\\])/.test(value);
}
