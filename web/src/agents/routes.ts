import { createRoute } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { numberIn } from "../shell/search-params.ts";
import { lazyPart } from "../ui/lazy-part.ts";

export const VIEWS = ["own", "shared", "organization"] as const;
export type View = (typeof VIEWS)[number];

interface AgentsSearch {
  /** Part of the name. */
  q?: string;
  /** Absent: all agents that the user may use. */
  view?: View;
  folder?: string;
}
interface VersionsSearch {
  from?: number;
  to?: number;
}

const agents = createRoute({
  getParentRoute: () => appRoute,
  path: "/agents",
  validateSearch: ({ q, view, folder }: Record<string, unknown>): AgentsSearch => ({
    ...(typeof q === "string" && { q }),
    ...(isView(view) && { view }),
    ...(typeof folder === "string" && { folder }),
  }),
  component: lazyPart(() => import("./page.tsx"), "AgentsPage"),
});

const newAgent = createRoute({
  getParentRoute: () => appRoute,
  path: "/agents/new",
  validateSearch: ({ folder }: Record<string, unknown>): { folder?: string } => ({
    ...(typeof folder === "string" && { folder }),
  }),
  component: lazyPart(() => import("./new-page.tsx"), "NewAgentPage"),
});

const agent = createRoute({
  getParentRoute: () => appRoute,
  path: "/agents/$id",
  component: lazyPart(() => import("./agent-page.tsx"), "AgentPage"),
});

const editor = createRoute({
  getParentRoute: () => agent,
  path: "/",
  component: lazyPart(() => import("./editor.tsx"), "StoredAgentEditor"),
});

const versions = createRoute({
  getParentRoute: () => agent,
  path: "versions",
  validateSearch: readVersions,
  component: lazyPart(() => import("./versions.tsx"), "Versions"),
});

const comparison = createRoute({
  getParentRoute: () => agent,
  path: "compare",
  validateSearch: readVersions,
  component: lazyPart(() => import("./comparison.tsx"), "Comparison"),
});

function readVersions(search: Record<string, unknown>): VersionsSearch {
  const from = numberIn(search["from"]);
  const to = numberIn(search["to"]);
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

export const agentRoutes = [
  agents,
  newAgent,
  agent.addChildren([editor, versions, comparison]),
];

function isView(value: unknown): value is View {
  return VIEWS.some((view) => view === value);
}
