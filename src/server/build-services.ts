import type {
  Service,
  ServiceDefinition,
  Environment,
  ServiceName,
} from "../platform/service.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { Cleanup } from "./cleanup.ts";
import { type Setup, neededBy } from "./configure.ts";
import type { Resources } from "./open-resources.ts";
import { isReachable } from "./peers.ts";
import type { Fetch } from "../platform/http/call.ts";

export interface BuiltService {
  definition: ServiceDefinition;
  service: Service;
  log: Logger;
}

interface Options {
  publicUrl: string;
  /** Aborts when draining has ended. */
  signal: AbortSignal;
  log: Logger;
  cleanup: Cleanup;
}

/** Builds the services in the order of their definitions. Their background work starts later. */
export async function buildServices(
  { config, definitions, env, services, serviceConfigs }: Setup,
  resources: Resources,
  { publicUrl, signal, log, cleanup }: Options,
): Promise<BuiltService[]> {
  const {
    dataDir,
    endpoints,
    files,
    guard,
    metrics,
    outgoing,
    revocations,
    secrets,
    stores,
    workers,
  } = resources;
  const built: BuiltService[] = [];
  for (const definition of definitions) {
    const serviceLog = log.child({ service: definition.name });
    const service = await definition.create({
      config: serviceConfigs[definition.name] ?? {},
      log: serviceLog,
      // getters: a service that does not declare a store never reads it
      get db() {
        return declared(stores.db, definition, "migrations");
      },
      get leases() {
        return declared(stores.leases, definition, "migrations");
      },
      get queue() {
        return declared(stores.queue, definition, "queue");
      },
      cache: stores.cache,
      revocations,
      files,
      metrics,
      peer: restrictPeers(definition, env, resources.peer),
      hasPeer: (name) => isReachable(name, services, config),
      guard,
      outgoing,
      endpoints,
      workers,
      secrets,
      publicUrl,
      allowedOrigins: config.CORS_ORIGINS,
      dataDir,
      signal,
    });
    built.push({ definition, service, log: serviceLog });
    cleanup.add(async () => service.close?.());
  }
  return built;
}

function declared<Store>(
  store: Store | undefined,
  { name }: ServiceDefinition,
  key: "migrations" | "queue",
): Store {
  if (store) return store;
  throw new Error(
    `The service ${name} uses a store that it does not declare: add "${key}".`,
  );
}

/**
 * Lets a service call only the services that it declares: the start validates the settings of
 * declared services alone.
 */
function restrictPeers(
  definition: ServiceDefinition,
  env: Environment,
  peer: (name: ServiceName) => Fetch,
): (name: ServiceName) => Fetch {
  const declared = new Set([...neededBy(definition, env), ...(definition.uses ?? [])]);
  return (name) => {
    if (!declared.has(name))
      throw new Error(
        `the ${definition.name} service does not declare that it calls ${name}`,
      );
    return peer(name);
  };
}
