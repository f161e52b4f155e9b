import {
  type AnyRoute,
  createRoute,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";

export interface ModelsSearch {
  q?: string;
}

export function modelRoutes<Parent extends AnyRoute>(parent: Parent) {
  const models = createRoute({
    getParentRoute: () => parent,
    path: "models",
    component: lazyRouteComponent(() => import("./page.tsx"), "ModelsPage"),
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
    component: lazyRouteComponent(() => import("./offered.tsx"), "OfferedModels"),
  });
  const providers = createRoute({
    getParentRoute: () => models,
    path: "providers",
    component: lazyRouteComponent(() => import("./providers.tsx"), "Providers"),
  });
  return [models.addChildren([start, offered, providers])];
}
