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

/** Where who has a password of an administrator's chooses another one. */
export const newPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/new-password",
  component: lazyPart(() => import("./new-password-page.tsx"), "NewPasswordPage"),
});

const toSearch = (next: string | undefined) => (next === undefined ? {} : { next });
