import { createRoute, redirect } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const settings = createRoute({
  getParentRoute: () => appRoute,
  path: "/settings",
  component: lazyPart(() => import("./page.tsx"), "SettingsPage"),
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
  component: lazyPart(() => import("./profile.tsx"), "Profile"),
});

const preferences = createRoute({
  getParentRoute: () => settings,
  path: "preferences",
  component: lazyPart(() => import("./preferences.tsx"), "Preferences"),
});

const security = createRoute({
  getParentRoute: () => settings,
  path: "security",
  component: lazyPart(() => import("./security.tsx"), "Security"),
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: "keys",
  component: lazyPart(() => import("./keys.tsx"), "Keys"),
});

const tools = createRoute({
  getParentRoute: () => settings,
  path: "tools",
  component: lazyPart(() => import("./tools.tsx"), "AllowedTools"),
});

const data = createRoute({
  getParentRoute: () => settings,
  path: "data",
  component: lazyPart(() => import("./data.tsx"), "Data"),
});

export const settingsRoutes = [
  settings.addChildren([settingsStart, profile, preferences, security, tools, keys, data]),
];
