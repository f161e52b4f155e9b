import { createRoute, type AnyRoute } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { flowAdminRoutes } from "./flows/routes.ts";
import { groupRoutes } from "./groups/routes.ts";
import { modelRoutes } from "./models/routes.ts";
import { roleRoutes } from "./roles/routes.ts";
import { toolRoutes } from "./tools/routes.ts";
import { userRoutes } from "./users/routes.ts";
import { readFilter } from "./audit/filter.ts";
import { readFeedbackFilter } from "./feedback/filter.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const admin = createRoute({
  getParentRoute: () => appRoute,
  path: "/admin",
  component: lazyPart(() => import("./page.tsx"), "AdminPage"),
});

const start = createRoute({
  getParentRoute: () => admin,
  path: "/",
  component: lazyPart(() => import("./page.tsx"), "AdminStart"),
});

export const adminRoutes = [
  admin.addChildren([
    start,
    ...userRoutes(admin),
    ...flowAdminRoutes(admin),
    ...groupRoutes(admin),
    ...roleRoutes(admin),
    ...modelRoutes(admin),
    ...toolRoutes(admin),
    ...operationRoutes(admin),
  ]),
];

/** Labels, health, queues, the log, parsers, search engines and the index: each a page or two. */
function operationRoutes<Parent extends AnyRoute>(parent: Parent) {
  const overview = createRoute({
    getParentRoute: () => parent,
    path: "overview",
    component: lazyPart(() => import("./overview/page.tsx"), "OverviewPage"),
  });

  const webSearch = createRoute({
    getParentRoute: () => parent,
    path: "web-search",
    component: lazyPart(() => import("./web-search/page.tsx"), "SearchEngines"),
  });

  const parsing = createRoute({
    getParentRoute: () => parent,
    path: "parsing",
    component: lazyPart(() => import("./parsing/page.tsx"), "ParsingPage"),
  });

  const embedding = createRoute({
    getParentRoute: () => parent,
    path: "embedding",
    component: lazyPart(() => import("./embedding/page.tsx"), "EmbeddingPage"),
  });

  const queues = createRoute({
    getParentRoute: () => parent,
    path: "queues",
    component: lazyPart(() => import("./queues/page.tsx"), "QueuesPage"),
  });

  const deadLetters = createRoute({
    getParentRoute: () => parent,
    path: "queues/$name",
    component: lazyPart(() => import("./queues/dead-letters-page.tsx"), "DeadLettersPage"),
  });

  const locks = createRoute({
    getParentRoute: () => parent,
    path: "locks",
    component: lazyPart(() => import("./locks/page.tsx"), "LocksPage"),
  });

  const audit = createRoute({
    getParentRoute: () => parent,
    path: "audit",
    validateSearch: readFilter,
    component: lazyPart(() => import("./audit/page.tsx"), "AuditPage"),
  });

  const feedback = createRoute({
    getParentRoute: () => parent,
    path: "feedback",
    validateSearch: readFeedbackFilter,
    component: lazyPart(() => import("./feedback/page.tsx"), "FeedbackPage"),
  });

  const system = createRoute({
    getParentRoute: () => parent,
    path: "system",
    component: lazyPart(() => import("./system/page.tsx"), "SystemPage"),
  });

  const labels = createRoute({
    getParentRoute: () => parent,
    path: "labels",
    component: lazyPart(() => import("./labels/page.tsx"), "LabelsPage"),
  });

  const branding = createRoute({
    getParentRoute: () => parent,
    path: "branding",
    component: lazyPart(() => import("./branding/page.tsx"), "BrandingPage"),
  });
  return [
    overview,
    branding,
    labels,
    webSearch,
    parsing,
    embedding,
    queues,
    deadLetters,
    locks,
    audit,
    feedback,
    system,
  ];
}
