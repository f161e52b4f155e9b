import { createRoute } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { isSharedKind, type SharedKind } from "./shared-kinds.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const history = createRoute({
  getParentRoute: () => appRoute,
  path: "/history",
  validateSearch: ({ q, tag }: Record<string, unknown>): { q?: string; tag?: string } => ({
    ...(typeof q === "string" && { q }),
    ...(typeof tag === "string" && { tag }),
  }),
  component: lazyPart(() => import("./page.tsx"), "HistoryPage"),
});

const trash = createRoute({
  getParentRoute: () => appRoute,
  path: "/trash",
  component: lazyPart(() => import("./trash-page.tsx"), "TrashPage"),
});

const canvases = createRoute({
  getParentRoute: () => appRoute,
  path: "/canvases",
  component: lazyPart(() => import("./canvases.tsx"), "CanvasesPage"),
});

const canvasTrash = createRoute({
  getParentRoute: () => appRoute,
  path: "/trash/canvases",
  component: lazyPart(() => import("./trash-page.tsx"), "CanvasTrashPage"),
});

const shared = createRoute({
  getParentRoute: () => appRoute,
  path: "/shared",
  validateSearch: ({ kind }: Record<string, unknown>): { kind?: SharedKind } =>
    isSharedKind(kind) ? { kind } : {},
  component: lazyPart(() => import("./shared-page.tsx"), "SharedPage"),
});

const agentTrash = createRoute({
  getParentRoute: () => appRoute,
  path: "/trash/agents",
  component: lazyPart(() => import("./trash-page.tsx"), "AgentTrashPage"),
});

export const historyRoutes = [history, trash, canvases, canvasTrash, shared, agentTrash];
