import { createJobMonitor } from "../platform/background/job-monitor.ts";
import { createBackground } from "../platform/background/start-background.ts";
import { type App, appOnceBuilt } from "../platform/http/app.ts";
import { shuttingDown } from "../platform/http/errors.ts";
import type { Listener } from "../platform/http/server.ts";
import { VERSION } from "../platform/version.ts";
import type { Environment } from "../platform/service.ts";
import { type Check, checkHealth, type Health } from "../platform/telemetry/health.ts";
import { createLog, type Logger } from "../platform/telemetry/log.ts";
import { buildApp, collectChecks } from "./build-app.ts";
import { type BuiltService, buildServices } from "./build-services.ts";
import { type Cleanup, createCleanup } from "./cleanup.ts";
import type { ServerConfig } from "./config.ts";
import { configure, type Setup } from "./configure.ts";
import { closeListeners, openListeners, portsOf } from "./listeners.ts";
import { openResources } from "./open-resources.ts";
import { checkQueues } from "./queues.ts";
import { SERVICES, type ServedName } from "./services.ts";
import { setFlagsFromString } from "node:v8";
import { memoryBytes } from "../platform/memory.ts";
import { endsWithin } from "../platform/within.ts";

/** How long `inspect` waits for a check, such as a provider that lists its models. */
const INSPECTION_TIMEOUT_MS = 16_000;
/** After the services ended their own streams, the app ends those that are left. */
const ABANDON_DELAY_MS = 1_000;
const DRAIN_BOUND_MS = 3_000;

export interface RunningServer extends AsyncDisposable {
  /** Stops the server. Requests and jobs in progress have `withinMs` to end. */
  end(withinMs: number): Promise<void>;
  app: App;
  url: string;
  internalUrl: string | undefined;
  config: ServerConfig;
  /** Checks every part and every provider, as `doctor` reports them. */
  inspect(): Promise<Health>;
  /** Lines that the services print at the terminal after the start. */
  startupMessages(): Promise<string[]>;
}

interface StartOptions {
  /** Which services this process runs. Default: all. */
  services?: readonly ServedName[];
  env: Environment;
  log?: Logger;
}

/**
 * Reads the configuration, opens stores and listeners, builds the services and starts them.
 * @throws ConfigError that names every wrong or missing variable.
 */
export async function startServer({
  services = Object.keys(SERVICES) as ServedName[],
  env,
  log: givenLog,
}: StartOptions): Promise<RunningServer> {
  const setup = await configure(services, env);
  const name = setup.allServices ? "parlance" : services.join("+");
  const log = givenLog ?? createLog({ level: setup.config.LOG_LEVEL, name });
  const cleanup = createCleanup(log);
  try {
    return await start(setup, log, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

async function start(setup: Setup, log: Logger, cleanup: Cleanup): Promise<RunningServer> {
  const { config, allServices, definitions } = setup;
  let app: App | undefined;
  const builtApp = () => {
    if (!app) throw new Error("a service called a peer before all services were built");
    return app;
  };
  const machineAdvice = fitMachine(config.SMALL_MACHINE);
  const resources = await openResources(setup, log, cleanup, builtApp);
  const { listeners, revocations, endpoints } = resources;
  // services need the public URL, and a free port (PORT=0) is known only once it is open
  const ports = portsOf(config, allServices, definitions);
  await openListeners(
    appOnceBuilt(() => app),
    config,
    ports,
    listeners,
  );
  const [open, internal] = listeners;
  const publicUrl = config.PUBLIC_URL ?? localUrl(config, open);

  const abandon = new AbortController();
  const { signal } = abandon;
  const built = await buildServices(setup, resources, { publicUrl, signal, log, cleanup });
  checkQueues(built.map(({ service }) => service));
  const monitor = createJobMonitor(resources.metrics);
  const background = createBackground({
    ...resources.stores,
    refuseForeign: config.UNSIGNED_MESSAGES === "refused",
    monitor,
  });
  cleanup.add(() => background.stop());
  const checks = collectChecks(setup, resources, built);
  let ready = false;
  const isReady = () => ready;
  const jobs = monitor.statuses;
  app = buildApp(setup, resources, built, {
    version: VERSION,
    log,
    checks,
    jobs,
    isReady,
    publicUrl,
  });
  await Promise.all([revocations.refresh(), endpoints.refresh()]);
  await background.start(built);
  ready = true;

  const end = async (withinMs: number) => {
    ready = false;
    await drain(builtApp(), abandon, withinMs, async () => {
      await closeListeners(listeners);
      await cleanup.run();
    });
  };
  return {
    app,
    config,
    end,
    url: publicUrl,
    internalUrl: internal && `http://${internal.host}:${internal.port}`,
    inspect: () => inspect(built, checks),
    startupMessages: async () => [...machineAdvice, ...(await collectMessages(built))],
    [Symbol.asyncDispose]: () => end(config.SHUTDOWN_TIMEOUT),
  };
}

async function inspect(
  built: readonly BuiltService[],
  checks: Record<string, Check>,
): Promise<Health> {
  const inspections = await collect(built, ({ service }) => service.inspections?.());
  return checkHealth(Object.assign({}, checks, ...inspections), INSPECTION_TIMEOUT_MS);
}

async function collectMessages(built: readonly BuiltService[]): Promise<string[]> {
  return (await collect(built, ({ service }) => service.startupMessages?.())).flat();
}

function localUrl({ HOST }: ServerConfig, listener: Listener | undefined): string {
  const host = HOST === "0.0.0.0" ? "127.0.0.1" : HOST;
  return `http://${host}:${listener?.port}`;
}

/** The results of the services that have one. */
async function collect<Result>(
  built: readonly BuiltService[],
  ask: (one: BuiltService) => Promise<Result> | undefined,
): Promise<Result[]> {
  const results = await Promise.all(built.map(ask));
  return results.filter((result) => result !== undefined);
}

/**
 * Waits until requests have ended, at most somewhat longer than `withinMs`, then closes. After
 * `withinMs` it aborts the work of services, and a little later all streams that are left.
 */
async function drain(
  app: App,
  abandon: AbortController,
  withinMs: number,
  close: () => Promise<void>,
): Promise<void> {
  const timers = [
    setTimeout(() => abandon.abort(shuttingDown()), withinMs),
    setTimeout(() => app.abandon(), withinMs + ABANDON_DELAY_MS),
  ];
  await endsWithin(withinMs + DRAIN_BOUND_MS, app.drain());
  await close();
  for (const timer of timers) clearTimeout(timer);
}

const MEBIBYTE = 2 ** 20;
/** Optimising one function of the embedded database takes 600 MB for half a second. */
const SMALL_BELOW_BYTES = 1_536 * MEBIBYTE;
/** While the process runs, `--liftoff-only`, which implies these, has no effect. */
const KEEP_BASELINE_CODE = ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"];
const LEAST_BYTES = 512 * MEBIBYTE;

/**
 * On a small machine the code of the embedded database is not optimised. Call it before the
 * database is opened.
 * @returns lines for the terminal where there is less memory than a server needs.
 */
function fitMachine(choice: "auto" | "yes" | "no"): string[] {
  const bytes = memoryBytes();
  const isSmall = choice === "auto" ? bytes < SMALL_BELOW_BYTES : choice === "yes";
  if (isSmall) for (const flag of KEEP_BASELINE_CODE) setFlagsFromString(flag);
  if (bytes >= LEAST_BYTES) return [];
  return [
    `Only ${Math.floor(bytes / MEBIBYTE)} MB of memory may be used here; Parlance needs ` +
      `${LEAST_BYTES / MEBIBYTE} MB. Raise the limit of the container, or it may be ended at any time.`,
  ];
}
