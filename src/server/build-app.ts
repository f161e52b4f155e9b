import type { JobStatus } from "../platform/background/job-monitor.ts";
import { type App, createApp } from "../platform/http/app.ts";
import { createStreamLimit } from "../platform/http/stream-limit.ts";
import type { Check } from "../platform/telemetry/health.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { httpMetrics } from "../platform/telemetry/metrics.ts";
import { createAuditor } from "./audit.ts";
import { createAuthenticator } from "./authenticator.ts";
import type { BuiltService } from "./build-services.ts";
import { checkPermissions } from "./check-permissions.ts";
import type { Setup } from "./configure.ts";
import { serverContract } from "./contract.ts";
import type { Resources } from "./open-resources.ts";
import { createJobList } from "./list-jobs.ts";
import { createPeerChecks } from "./peer-checks.ts";
import { DIRECTORY, isReachable } from "./peers.ts";
import { createHintPublisher } from "./events/publish-hints.ts";
import { serverRoutes } from "./routes.ts";
import { openWebApp } from "./web/web-app.ts";
import type { ServiceName } from "../platform/service.ts";
import type { ServedName } from "./services.ts";

interface Options {
  version: string;
  log: Logger;
  checks: Record<string, Check>;
  jobs: () => JobStatus[];
  isReady: () => boolean;
}

/** The HTTP application: the routes of all services and of the server, behind authentication. */
export function buildApp(
  { config, services }: Setup,
  { guard, hasUsers, metrics, peer, revocations, secrets, stores }: Resources,
  built: readonly BuiltService[],
  { version, log, checks, jobs, isReady }: Options,
): App {
  const mounted = built.map(({ definition, service }) => ({
    name: definition.name,
    contract: service.contract ?? definition.contract,
    routes: service.routes,
  }));
  checkPermissions([...mounted, { name: "server", contract: serverContract }]);
  const { queue, cache } = stores;
  const routes = serverRoutes({
    services: mounted,
    checks,
    jobs,
    allJobs: createJobList(jobs, namesApart(services, config), peer),
    metrics,
    version,
    isReady,
    queue,
    cache,
    guard,
  });
  const users = () => peer("users");
  const integrations = () => peer("integrations");
  return createApp({
    services: [...mounted, { name: "server", contract: serverContract, routes }],
    auth: createAuthenticator({
      config,
      secrets,
      revocations,
      hasUsers,
      users,
      integrations,
    }),
    guard,
    streams: createStreamLimit(cache, config.USER_STREAM_LIMIT),
    streamExpiryGraceMs: config.STREAM_EXPIRY_GRACE,
    ...(hasUsers && { auditor: createAuditor(users) }),
    // a proxy in front of separate services sends unknown paths to the core service
    onSuccess: createHintPublisher(cache),
    pages: services.includes("core") ? openWebApp(config.WEB_APP_DIR) : undefined,
    metrics: httpMetrics(metrics),
    log,
  });
}

/** What readiness and health check: stores, files, peers in other processes, and the services. */
export function collectChecks(
  { config, definitions, env, services }: Setup,
  { files, peer, revocations, stores }: Resources,
  built: readonly BuiltService[],
): Record<string, Check> {
  const apart = namesApart(services, config);
  const isApart = (name: ServiceName) => apart.includes(name);
  return Object.assign(
    {},
    stores.checks,
    files.checks,
    createPeerChecks({ definitions, env, isApart, peer }),
    { revocations: () => revocations.ping() },
    ...built.map(({ service }) => service.checks ?? {}),
  ) as Record<string, Check>;
}

/** The services that run in other processes and have an address. */
function namesApart(
  here: readonly ServedName[],
  config: Setup["config"],
): readonly ServiceName[] {
  const names = Object.keys(DIRECTORY) as ServiceName[];
  return names.filter(
    (name) => !here.includes(name as ServedName) && isReachable(name, [], config),
  );
}
