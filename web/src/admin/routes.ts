import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { flowAdminRoutes } from "./flows/routes.ts";
import { groupRoutes } from "./groups/routes.ts";
import { modelRoutes } from "./models/routes.ts";
import { operationRoutes } from "./operation-routes.ts";
import { roleRoutes } from "./roles/routes.ts";
import { toolRoutes } from "./tools/routes.ts";
import { userRoutes } from "./users/routes.ts";

const admin = createRoute({
  getParentRoute: () => appRoute,
  path: "/admin",
  component: lazyRouteComponent(() => import("./page.tsx"), "AdminPage"),
});

const start = createRoute({
  getParentRoute: () => admin,
  path: "/",
  component: lazyRouteComponent(() => import("./page.tsx"), "AdminStart"),
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
