import { createRoute } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { lazyPart } from "../ui/lazy-part.ts";

export const TOOLS = ["grammar", "translation", "summarisation"] as const;
export type Tool = (typeof TOOLS)[number];

interface KeptSearch {
  /** In the text or its result. */
  q?: string;
  tool?: Tool;
}

const text = createRoute({
  getParentRoute: () => appRoute,
  path: "/text",
  component: lazyPart(() => import("./page.tsx"), "TextPage"),
});

const tools = createRoute({
  getParentRoute: () => text,
  path: "/",
  validateSearch: ({ tool }: Record<string, unknown>): { tool?: Tool } => ({
    ...(isTool(tool) && { tool }),
  }),
  component: lazyPart(() => import("./tools.tsx"), "Tools"),
});

const kept = createRoute({
  getParentRoute: () => text,
  path: "kept",
  validateSearch: ({ q, tool }: Record<string, unknown>): KeptSearch => ({
    ...(typeof q === "string" && { q }),
    ...(isTool(tool) && { tool }),
  }),
  component: lazyPart(() => import("./kept.tsx"), "Kept"),
});

const conversion = createRoute({
  getParentRoute: () => text,
  path: "kept/$id",
  component: lazyPart(() => import("./kept-text.tsx"), "KeptText"),
});

export const conversionRoutes = [text.addChildren([tools, kept, conversion])];

function isTool(value: unknown): value is Tool {
  return TOOLS.some((tool) => tool === value);
}
