import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { parseSearch, stringifySearch } from "./shell/search-params.ts";
import { adminRoutes } from "./admin/routes.ts";
import { canvasRoutes } from "./canvas/routes.ts";
import { automationRoutes } from "./automations/routes.ts";
import { agentRoutes } from "./agents/routes.ts";
import { chatRoutes } from "./chat/routes.ts";
import { documentRoutes } from "./documents/routes.ts";
import { flowRoutes } from "./flows/routes.ts";
import { historyRoutes } from "./history/routes.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { appRoute, otherRoute, rootRoute } from "./shell/app-route.ts";
import { dropInvalidSearch } from "./shell/drop-invalid-search.ts";
import { WithLoadingBar } from "./shell/loading-bar.tsx";
import { PageError } from "./shell/page-error.tsx";
import { newPasswordRoute, signInRoute, signUpRoute } from "./sign-in/routes.ts";
import { lazyPart } from "./ui/lazy-part.ts";
import { usageRoutes } from "./usage/routes.ts";
import { templateRoutes } from "./templates/routes.ts";
import { conversionRoutes } from "./conversions/routes.ts";
import { welcomeRoutes } from "./welcome/routes.ts";

/** Every address of the app. An area declares its own, and is fetched when it is opened. */
const tree = rootRoute.addChildren([
  signInRoute,
  signUpRoute,
  newPasswordRoute,
  appRoute.addChildren([
    ...chatRoutes,
    ...canvasRoutes,
    ...welcomeRoutes,
    ...historyRoutes,
    ...agentRoutes,
    ...documentRoutes,
    ...usageRoutes,
    ...automationRoutes,
    ...flowRoutes,
    ...templateRoutes,
    ...conversionRoutes,
    ...settingsRoutes,
    ...adminRoutes,
    otherRoute,
  ]),
]);

const RailRowMenu = lazyPart(() => import("./history/rail-row-menu.tsx"), "RailRowMenu");

const Palette = lazyPart(() => import("./palette-with-pages.tsx"), "PaletteWithPages");

dropInvalidSearch(tree);

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries, RailRowMenu, Palette },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultErrorComponent: PageError,
    InnerWrap: WithLoadingBar,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
