import { createRoute } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { lazyPart } from "../ui/lazy-part.ts";

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
  component: lazyPart(() => import("./page.tsx"), "TemplatesPage"),
});

const newTemplate = createRoute({
  getParentRoute: () => appRoute,
  path: "/templates/new",
  component: lazyPart(() => import("./new-page.tsx"), "NewTemplatePage"),
});

const template = createRoute({
  getParentRoute: () => appRoute,
  path: "/templates/$id",
  component: lazyPart(() => import("./template-page.tsx"), "TemplatePage"),
});

export const templateRoutes = [templates, newTemplate, template];

function isScope(value: unknown): value is Scope {
  return SCOPES.some((scope) => scope === value);
}
