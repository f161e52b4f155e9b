import { resolve } from "node:path";
import type { z } from "zod";
import { openCache } from "../platform/cache/open-cache.ts";
import { readConfig } from "../platform/config/read-config.ts";
import type { Database } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { openDatabase } from "../platform/db/open-database.ts";
import { type App, appOnceBuilt, createApp } from "../platform/http/app.ts";
import { shuttingDown } from "../platform/http/errors.ts";
import { createRemotes } from "../platform/http/remote.ts";
import type { Listener } from "../platform/http/server.ts";
import { openOutgoing } from "../platform/outgoing/open-outgoing.ts";
import type { Queue } from "../platform/queue/queue.ts";
import { openQueue } from "../platform/queue/open-queue.ts";
import type { Service, ServiceDefinition } from "../platform/service.ts";
import { createWorkers } from "../platform/workers/workers.ts";
import { GUARD_WITHOUT_ROLES } from "../platform/http/guard.ts";
import { createStreamLimit } from "../platform/http/stream-limit.ts";
import { createLog, type Logger } from "../platform/telemetry/log.ts";
import { type Check, checkHealth, type Health } from "../platform/telemetry/health.ts";
import { createMetrics, httpMetrics } from "../platform/telemetry/metrics.ts";
import { createAuditor } from "./audit.ts";
import { createAuthenticator } from "./authenticator.ts";
import { checkPermissions } from "./check-permissions.ts";
import { createGuard } from "./guard.ts";
import { type ServerConfig, serverConfig } from "./config.ts";
import { serverContract } from "./contract.ts";
import { serverRoutes } from "./routes.ts";
import { openFiles } from "./files.ts";
import { guardedPorts, openListeners, portsOf } from "./listeners.ts";
import { declaredPeers } from "./declared-peers.ts";
import { missingSettings } from "./missing-settings.ts";
import { openRevocations } from "./open-revocations.ts";
import { isReachable, peersOf } from "./peers.ts";
import { loadSecrets } from "./secrets.ts";
import { siblingChecks } from "./sibling-checks.ts";
import { SERVICES, type ServedName } from "./services.ts";

export const VERSION = "0.1.0";
/** How long a provider may take to list its models. */
const INSPECTION_MS = 16_000;

export interface RunningServer extends AsyncDisposable {
  /** Ends it: what runs may end first, for so many ms at most. */
  end(withinMs: number): Promise<void>;
  app: App;
  url: string;
  internalUrl: string | undefined;
  config: ServerConfig;
  /** Every part and every provider, asked for a person who looks. */
  inspect(): Promise<Health>;
  /** Lines for the person at the terminal. */
  welcome(): Promise<string[]>;
}

interface StartOptions {
  /** Which services this process runs. Default: all. */
  services?: readonly ServedName[];
  env: Record<string, string | undefined>;
  log?: Logger;
}

/** Services and their configuration. @throws ConfigError with every wrong or missing variable. */
export async function configure(services: readonly ServedName[], env: StartOptions["env"]) {
  const allServices = services.length === Object.keys(SERVICES).length;
  const definitions = await Promise.all(
    services.map(async (name) => (await SERVICES[name]()).default as ServiceDefinition),
  ); // each is made by defineService
  const schemas: Record<string, z.ZodObject> = Object.fromEntries(
    definitions.map(({ name, config }) => [name, config]),
  );
  const { parlance: config, ...serviceConfigs } = readConfig(
    { parlance: serverConfig, ...schemas } as { parlance: typeof serverConfig } & typeof schemas,
    env,
    allServices ? [] : missingSettings(definitions, env),
  );
  return { allServices, definitions, config, serviceConfigs };
}

/**
 * Reads the configuration, opens what the services stand on, builds them and listens.
 * @throws ConfigError with every wrong variable.
 */
export async function startServer({
  services = Object.keys(SERVICES) as ServedName[],
  env,
  log: given,
}: StartOptions): Promise<RunningServer> {
  const { allServices, definitions, config, serviceConfigs } = await configure(services, env);

  const log =
    given ??
    createLog({ level: config.LOG_LEVEL, name: allServices ? "parlance" : services.join("+") });
  const dataDir = resolve(config.DATA_DIR);
  const closing: (() => PromiseLike<unknown>)[] = [];
  const close = async () => {
    for (const step of closing.splice(0).reverse())
      await Promise.resolve(step()).catch((error: unknown) =>
        log.error({ err: error }, "a part did not close"),
      );
  };

  try {
    const secrets = await loadSecrets(config, dataDir, allServices);
    const base = await openBase(config, definitions, dataDir, log, closing);
    const listeners: Listener[] = [];
    closing.push(() =>
      Promise.all(listeners.splice(0).map((listener) => listener[Symbol.asyncDispose]())),
    );
    const ports = portsOf(config, allServices, definitions);
    const guarded = () => guardedPorts(config, listeners);
    const outgoing = openOutgoing({ allow: config.OUTGOING_ALLOW, own: guarded });
    const remotes = createRemotes();
    const workers = createWorkers();
    closing.push(
      () => outgoing[Symbol.asyncDispose](),
      () => remotes[Symbol.asyncDispose](),
      () => workers[Symbol.asyncDispose](),
    );
    const files = openFiles(config, dataDir, guarded);
    closing.push(() => files[Symbol.asyncDispose]());
    const metrics = createMetrics();
    const abandoned = new AbortController();
    let app: App | undefined;
    const theApp = () => {
      if (!app) throw new Error("a sibling was called before the services were built");
      return app;
    };
    const peer = peersOf({ here: services, config, secrets, remotes, app: theApp });
    const hasUsers = services.includes("users") || config.USER_SERVICE_URL !== undefined;
    const revocations = openRevocations(hasUsers ? () => peer("users") : undefined, log);
    closing.push(() => revocations.close());
    const guard = hasUsers
      ? createGuard({ users: () => peer("users"), revocations })
      : GUARD_WITHOUT_ROLES;
    // opened first, since a service is told the address, and port 0 is known only then
    await openListeners(
      appOnceBuilt(() => app),
      config,
      ports,
      listeners,
    );
    const [open, internal] = listeners;
    const publicUrl =
      config.PUBLIC_URL ??
      `http://${config.HOST === "0.0.0.0" ? "127.0.0.1" : config.HOST}:${open?.port}`;

    const built: { definition: ServiceDefinition; service: Service }[] = [];
    for (const definition of definitions) {
      const service = await definition.create({
        config: serviceConfigs[definition.name] ?? {},
        log: log.child({ service: definition.name }),
        // asked for only by those that declared it
        get db() {
          return base.db();
        },
        get queue() {
          return base.queue();
        },
        cache: base.cache,
        revocations,
        files,
        metrics,
        peer: declaredPeers(definition, env, peer),
        hasPeer: (name) => isReachable(name, services, config),
        guard,
        outgoing,
        workers,
        secrets,
        publicUrl,
        dataDir,
        signal: abandoned.signal,
      });
      built.push({ definition, service });
      closing.push(async () => service.close?.());
    }

    let ready = false;
    const checks = Object.assign(
      {},
      base.checks,
      files.checks,
      siblingChecks({
        definitions,
        env,
        isApart: (name) => !services.includes(name as ServedName) && isReachable(name, [], config),
        peer,
      }),
      { revocations: () => revocations.ping() },
      ...built.map(({ service }) => service.checks ?? {}),
    ) as Record<string, Check>;
    const mounted = built.map(({ definition, service }) => ({
      name: definition.name,
      contract: service.contract ?? definition.contract,
      routes: service.routes,
    }));
    checkPermissions([...mounted, { name: "server", contract: serverContract }]);
    const shared = serverRoutes({
      services: mounted,
      checks,
      metrics,
      version: VERSION,
      ready: () => ready,
      queue: base.anyQueue,
    });
    app = createApp({
      services: [...mounted, { name: "server", contract: serverContract, routes: shared }],
      auth: createAuthenticator({
        config,
        secrets,
        revocations,
        hasUsers,
        users: () => peer("users"),
        integrations: () => peer("integrations"),
      }),
      guard,
      streams: createStreamLimit(base.cache, config.USER_STREAM_LIMIT),
      ...(hasUsers && { auditor: createAuditor(() => peer("users")) }),
      metrics: httpMetrics(metrics),
      log,
    });
    await revocations.refresh();
    for (const { service } of built) await service.start?.();
    ready = true;

    const end = async (withinMs: number) => {
      ready = false;
      const late = [
        setTimeout(() => abandoned.abort(shuttingDown()), withinMs),
        // after what services end by themselves, of which their readers learn so
        setTimeout(() => theApp().abandon(), withinMs + 1_000),
      ];
      const bound = new Promise((done) => setTimeout(done, withinMs + 3_000).unref());
      await Promise.race([theApp().drain(), bound]);
      await Promise.all(listeners.splice(0).map((listener) => listener[Symbol.asyncDispose]()));
      await close();
      for (const timer of late) clearTimeout(timer);
    };
    return {
      app,
      config,
      end,
      async inspect() {
        const asked = await Promise.all(
          built.map(async ({ service }) => (await service.inspections?.()) ?? {}),
        );
        return checkHealth(Object.assign({}, checks, ...asked), INSPECTION_MS);
      },
      url: publicUrl,
      internalUrl: internal && `http://${internal.host}:${internal.port}`,
      welcome: async () =>
        (
          await Promise.all(built.map(async ({ service }) => (await service.welcome?.()) ?? []))
        ).flat(),
      [Symbol.asyncDispose]: () => end(config.SHUTDOWN_TIMEOUT),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What services stand on; opened only when one of them asks for it. */
async function openBase(
  config: ServerConfig,
  definitions: readonly ServiceDefinition[],
  dataDir: string,
  log: Logger,
  closing: (() => PromiseLike<unknown>)[],
) {
  const needsDatabase = definitions.some(({ migrations }) => migrations !== undefined);
  const needsQueue = definitions.some(({ queue }) => queue === true);
  const checks: Record<string, () => Promise<void>> = {};
  let db: Database | undefined;
  if (needsDatabase || (needsQueue && !config.AMQP_URL)) {
    const opened = await openDatabase({ url: config.DATABASE_URL, dataDir, log });
    db = opened;
    closing.push(() => opened[Symbol.asyncDispose]());
    checks["database"] = () => opened.ping();
    for (const { name, schema = name, migrations } of definitions)
      if (migrations)
        await migrate(opened, { schema: schema.replace("-", "_"), folder: migrations, log });
  }
  let queue: Queue | undefined;
  if (needsQueue) {
    const opened = await openQueue({
      db,
      amqpUrl: config.AMQP_URL,
      namespace: config.NAMESPACE,
      log,
    });
    queue = opened;
    closing.push(() => opened[Symbol.asyncDispose]());
    checks["queue"] = () => opened.ping();
  }
  const cache = await openCache({ redisUrl: config.REDIS_URL, namespace: config.NAMESPACE, log });
  closing.push(() => cache[Symbol.asyncDispose]());
  checks["cache"] = () => cache.ping();
  return {
    cache,
    checks,
    anyQueue: queue,
    db(): Database {
      if (!db) throw new Error("a service uses a database without declaring migrations");
      return db;
    },
    queue(): Queue {
      if (!queue) throw new Error("a service uses the queue without declaring it");
      return queue;
    },
  };
}
