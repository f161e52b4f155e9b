import { createRoute } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { validateCanvasSearch } from "./search.ts";
import { lazyPart } from "../ui/lazy-part.ts";

/** A canvas that belongs to no conversation. */
const canvas = createRoute({
  getParentRoute: () => appRoute,
  path: "/canvas/$canvas",
  validateSearch: validateCanvasSearch,
  component: lazyPart(() => import("./canvas-page.tsx"), "CanvasPage"),
});

export const canvasRoutes = [canvas];
