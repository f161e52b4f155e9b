import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";

const settings = createRoute({
  getParentRoute: () => appRoute,
  path: "/settings",
  component: lazyRouteComponent(() => import("./page.tsx"), "SettingsPage"),
});

const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad() {
    throw redirect({ to: "/settings/profile", replace: true });
  },
});

const profile = createRoute({
  getParentRoute: () => settings,
  path: "profile",
  component: lazyRouteComponent(() => import("./profile.tsx"), "Profile"),
});

const preferences = createRoute({
  getParentRoute: () => settings,
  path: "preferences",
  component: lazyRouteComponent(() => import("./preferences.tsx"), "Preferences"),
});

const security = createRoute({
  getParentRoute: () => settings,
  path: "security",
  component: lazyRouteComponent(() => import("./security.tsx"), "Security"),
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: "keys",
  component: lazyRouteComponent(() => import("./keys.tsx"), "Keys"),
});

const tools = createRoute({
  getParentRoute: () => settings,
  path: "tools",
  component: lazyRouteComponent(() => import("./tools.tsx"), "AllowedTools"),
});

const data = createRoute({
  getParentRoute: () => settings,
  path: "data",
  component: lazyRouteComponent(() => import("./data.tsx"), "Data"),
});

export const settingsRoutes = [
  settings.addChildren([settingsStart, profile, preferences, security, tools, keys, data]),
];
