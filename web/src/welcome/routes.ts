import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";

const welcome = createRoute({
  getParentRoute: () => appRoute,
  path: "/welcome",
  component: lazyRouteComponent(() => import("./page.tsx"), "WelcomePage"),
});

export const welcomeRoutes = [welcome];
