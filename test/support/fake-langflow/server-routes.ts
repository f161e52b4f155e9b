import type { Route } from "./exchange.ts";

export const serverRoutes: Route[] = [
  [
    /^GET \/api\/v1\/version$/,
    ({ langflow: { settings }, send }) =>
      send(200, {
        version: settings.version,
        main_version: settings.version,
        package: settings.package,
      }),
  ],
  [/^GET \/health_check$/, ({ send }) => send(200, { status: "ok", chat: "ok", db: "ok" })],
];
