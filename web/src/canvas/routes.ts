import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { validateCanvasSearch } from "./search.ts";

/** A canvas that belongs to no conversation. */
const canvas = createRoute({
  getParentRoute: () => appRoute,
  path: "/canvas/$canvas",
  validateSearch: validateCanvasSearch,
  component: lazyRouteComponent(() => import("./canvas-page.tsx"), "CanvasPage"),
});

export const canvasRoutes = [canvas];
