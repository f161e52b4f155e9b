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

const connections = createRoute({
  getParentRoute: () => settings,
  path: "connections",
  component: lazyPart(() => import("./connections.tsx"), "Connections"),
});

/** Where the sign-ins of tool servers come back to. */
const connectionCallback = createRoute({
  getParentRoute: () => appRoute,
  path: "/connections/callback/$issuer",
  component: lazyPart(() => import("./connection-callback.tsx"), "ConnectionCallback"),
});

/** Where clients of MCP send their users. */
const authorizeClient = createRoute({
  getParentRoute: () => appRoute,
  path: "/oauth/authorize",
  component: lazyPart(() => import("./authorize-client.tsx"), "AuthorizeClient"),
});

const data = createRoute({
  getParentRoute: () => settings,
  path: "data",
  component: lazyPart(() => import("./data.tsx"), "Data"),
});

export const settingsRoutes = [
  settings.addChildren([
    settingsStart,
    profile,
    preferences,
    security,
    tools,
    connections,
    keys,
    data,
  ]),
  connectionCallback,
  authorizeClient,
];
