import type { JobStatus } from "../platform/background/job-monitor.ts";
import { type App, createApp } from "../platform/http/app.ts";
import { createStreamLimit } from "../platform/http/stream-limit.ts";
import { type Check, Degraded, detailOf } from "../platform/telemetry/health.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { httpMetrics } from "../platform/telemetry/metrics.ts";
import { createAuthenticator } from "./authenticator.ts";
import type { BuiltService } from "./build-services.ts";
import { countMessages } from "./queues.ts";
import { checkContracts } from "./check-contracts.ts";
import { type Setup, neededBy } from "./configure.ts";
import { serverContract } from "./contract.ts";
import type { Resources } from "./open-resources.ts";
import { createJobList } from "./list-jobs.ts";
import { openInternalPort, portsOf } from "./listeners.ts";
import { DIRECTORY, isReachable } from "./peers.ts";
import { createChangePublisher } from "./events/publish-declared-changes.ts";
import { serverRoutes } from "./routes.ts";
import { openWebApp } from "./web/web-app.ts";
import type { ServiceName, Environment, ServiceDefinition } from "../platform/service.ts";
import type { ServedName } from "./services.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import { currentContext } from "../platform/http/context.ts";
import type { Auditor, AuditedChange } from "../platform/http/guard.ts";
import { auditContract } from "../services/users/contract-audit.ts";
import { permissionsContract } from "../services/integrations/contract-permissions.ts";
import { usersContract } from "../services/users/contract.ts";
import type { AnyRoute } from "../platform/http/route.ts";
import { isRecord } from "../platform/json/is-record.ts";

interface Options {
  version: string;
  log: Logger;
  checks: Record<string, Check>;
  jobs: () => JobStatus[];
  isReady: () => boolean;
  publicUrl: string;
}

/** The HTTP application: the routes of all services and of the server, behind authentication. */
export function buildApp(
  { allServices, config, definitions, services }: Setup,
  { guard, hasUsers, metrics, peer, revocations, secrets, stores }: Resources,
  built: readonly BuiltService[],
  { version, log, checks, jobs, isReady, publicUrl }: Options,
): App {
  const mounted = built.map(({ definition, service }) => ({
    name: definition.name,
    contract: service.contract ?? definition.contract,
    routes: service.routes,
  }));
  checkContracts([...mounted, { name: "server", contract: serverContract }]);
  const { queue, cache } = stores;
  if (queue) countMessages(metrics, queue);
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
      openInternalPort: openInternalPort(config, portsOf(config, allServices, definitions)),
      publicUrl,
      users,
      integrations,
    }),
    guard,
    streams: createStreamLimit(cache, config.USER_STREAM_LIMIT),
    streamExpiryGraceMs: config.STREAM_EXPIRY_GRACE,
    ...(hasUsers && { auditor: createAuditor(users) }),
    // a proxy in front of separate services sends unknown paths to the core service
    onSuccess: createChangePublisher(cache),
    pages: services.includes("core")
      ? openWebApp(config.WEB_APP_DIR, config.MCP_VIEW_ORIGINS)
      : undefined,
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

/** Shorter than the timeout of a whole health check. */
const TIMEOUT_MS = 1_500;

interface Deps {
  definitions: readonly ServiceDefinition[];
  env: Environment;
  /** Whether the service runs in another process and has an address. */
  isApart: (name: ServiceName) => boolean;
  peer: (name: ServiceName) => Fetch;
}

/**
 * Checks that each used service in another process is alive. It does not check readiness: services
 * that check each other would keep each other unready. A missing optional service only degrades.
 */
function createPeerChecks({ definitions, env, isApart, peer }: Deps) {
  // every process calls the users service for credentials and roles
  const needed = new Set<ServiceName>(["users"]);
  for (const definition of definitions)
    for (const name of neededBy(definition, env)) needed.add(name);
  const used = new Set([...needed, ...definitions.flatMap(({ uses = [] }) => uses)]);
  const checks = [...used].filter(isApart).map((name) => {
    const isAlive = () =>
      call(peer(name), serverContract.liveness, {}, { timeoutMs: TIMEOUT_MS }).then(
        () => {},
      );
    return [`service ${name}`, needed.has(name) ? isAlive : optional(isAlive)] as const;
  });
  return Object.fromEntries(checks);
}

function optional(check: () => Promise<void>): () => Promise<void> {
  return () =>
    check().catch((error: unknown) => {
      throw new Degraded(detailOf(error));
    });
}

const ACTIONS = {
  get: "read",
  post: "create",
  put: "update",
  patch: "update",
  delete: "delete",
} as const;

/**
 * Writes every change that an administrator makes at any service to the audit log. The users
 * service and the grants of flows write their own entries in the same transaction. When an entry
 * cannot be written, the change stays, and the entry goes to the process log.
 */
function createAuditor(users: () => Fetch): Auditor {
  const recordedByService = new Set<unknown>([
    ...Object.values(usersContract),
    ...Object.values(permissionsContract),
  ]);
  return async (route, administrator, change) => {
    if (recordedByService.has(route) || route.method === "get") return;
    const [resource = "unknown"] = route.permission?.split(":") ?? [];
    const event = {
      actorId: administrator.userId,
      action: `${resource}.${ACTIONS[route.method]}`,
      resourceType: resource,
      ...describeChange(route, change),
    };
    await call(
      users(),
      auditContract.recordAudit,
      { body: event },
      { timeoutMs: 5_000 },
    ).catch((error: unknown) =>
      currentContext()?.log.error(
        { err: error, event },
        "could not write an administrator's action to the audit log",
      ),
    );
  };
}

/** Fields that say what a change is about. None of them holds a secret. */
const NAMING_FIELDS = [
  "id",
  "name",
  "displayName",
  "kind",
  "modelId",
  "providerName",
  "providerModelId",
  "subjectType",
  "subjectId",
  "unit",
  "amount",
  "period",
  "server",
  "address",
  "effect",
  "enabled",
  "source",
  "availableModelId",
  "chosen",
  "cancelled",
  "ids",
] as const;
const MAX_ID_CHARACTERS = 500;

type Fields = Record<string, unknown>;

/**
 * Which resource an administrator changed, and how, for the audit log: its id or name, by the path
 * or as it was created, and the names of the fields that were sent. Values other than names stay
 * out, because some are secrets.
 */
function describeChange(
  route: AnyRoute,
  { params, query, body, answer }: AuditedChange,
): { resourceId: string; details: Fields } {
  const [asked, answered] = [toFields(body), toFields(answer)];
  const named = { ...pickNames(answered), ...pickNames(asked), ...pickNames(query) };
  const sent = Object.keys(asked);
  return {
    resourceId: (Object.values(params).join("/") || idOf(named)).slice(
      0,
      MAX_ID_CHARACTERS,
    ),
    details: {
      path: route.path,
      ...named,
      ...(sent.length > 0 && { fields: sent }),
    },
  };
}

/** What a resource without an id in the path is called. */
function idOf({ server, id, name, address, chosen, cancelled }: Fields): string {
  if (typeof server === "string" && typeof name === "string") return `${server}/${name}`;
  const first = [id, name, address, chosen, cancelled].find(
    (one) => typeof one === "string",
  );
  return typeof first === "string" ? first : "";
}

function pickNames(value: unknown): Fields {
  const fields = toFields(value);
  return Object.fromEntries(
    NAMING_FIELDS.flatMap((name) => (isPlain(fields[name]) ? [[name, fields[name]]] : [])),
  );
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === "string");
  return ["string", "number", "boolean"].includes(typeof value);
}

function toFields(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
