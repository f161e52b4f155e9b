import { type AnyRoute, createRoute, redirect } from "@tanstack/react-router";
import { lazyPart } from "../../ui/lazy-part.ts";

export interface ModelsSearch {
  q?: string;
}

export function modelRoutes<Parent extends AnyRoute>(parent: Parent) {
  const models = createRoute({
    getParentRoute: () => parent,
    path: "models",
    component: lazyPart(() => import("./page.tsx"), "ModelsPage"),
  });
  const start = createRoute({
    getParentRoute: () => models,
    path: "/",
    beforeLoad() {
      throw redirect({ to: "/admin/models/offered", replace: true });
    },
  });
  const offered = createRoute({
    getParentRoute: () => models,
    path: "offered",
    validateSearch: ({ q }: Record<string, unknown>): ModelsSearch =>
      typeof q === "string" ? { q } : {},
    component: lazyPart(() => import("./offered.tsx"), "OfferedModels"),
  });
  const providers = createRoute({
    getParentRoute: () => models,
    path: "providers",
    component: lazyPart(() => import("./providers.tsx"), "Providers"),
  });
  return [models.addChildren([start, offered, providers])];
}
