import { createRoute } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const welcome = createRoute({
  getParentRoute: () => appRoute,
  path: "/welcome",
  component: lazyPart(() => import("./page.tsx"), "WelcomePage"),
});

export const welcomeRoutes = [welcome];
