import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";

export const SCOPES = ["personal", "organization"] as const;
export type Scope = (typeof SCOPES)[number];

interface TemplatesSearch {
  /** Part of the name. */
  q?: string;
  scope?: Scope;
}

const templates = createRoute({
  getParentRoute: () => appRoute,
  path: "/templates",
  validateSearch: ({ q, scope }: Record<string, unknown>): TemplatesSearch => ({
    ...(typeof q === "string" && { q }),
    ...(isScope(scope) && { scope }),
  }),
  component: lazyRouteComponent(() => import("./page.tsx"), "TemplatesPage"),
});

const newTemplate = createRoute({
  getParentRoute: () => appRoute,
  path: "/templates/new",
  component: lazyRouteComponent(() => import("./new-page.tsx"), "NewTemplatePage"),
});

const template = createRoute({
  getParentRoute: () => appRoute,
  path: "/templates/$id",
  component: lazyRouteComponent(() => import("./template-page.tsx"), "TemplatePage"),
});

export const templateRoutes = [templates, newTemplate, template];

function isScope(value: unknown): value is Scope {
  return SCOPES.some((scope) => scope === value);
}
