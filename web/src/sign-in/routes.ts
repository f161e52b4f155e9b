import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../shell/app-route.ts";

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: ({ next }: { next?: unknown }): { next?: string } =>
    isPath(next) ? { next } : {},
  component: lazyRouteComponent(() => import("./page.tsx"), "SignInPage"),
});

export const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-up",
  component: lazyRouteComponent(() => import("./sign-up-page.tsx"), "SignUpPage"),
});

/** A path of this app, never another site. */
function isPath(value: unknown): value is string {
  return typeof value === "string" && /^\/(?![/\\])/.test(value);
}
