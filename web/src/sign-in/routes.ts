import { createRoute } from "@tanstack/react-router";
import { toPath } from "./to-path.ts";
import { rootRoute } from "../shell/app-route.ts";
import { lazyPart } from "../ui/lazy-part.ts";

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: ({ next }: { next?: unknown }): { next?: string } =>
    toSearch(toPath(next)),
  component: lazyPart(() => import("./page.tsx"), "SignInPage"),
});

export const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-up",
  component: lazyPart(() => import("./sign-up-page.tsx"), "SignUpPage"),
});

const toSearch = (next: string | undefined) => (next === undefined ? {} : { next });
