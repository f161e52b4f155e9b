import type { Database } from "../platform/db/database.ts";
import type { Queue } from "../platform/queue/queue.ts";
import type { Service, ServiceDefinition } from "../platform/service.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { Cleanup } from "./cleanup.ts";
import type { Setup } from "./configure.ts";
import type { Resources } from "./open-resources.ts";
import type { Stores } from "./open-stores.ts";
import { isReachable } from "./peers.ts";
import { restrictPeers } from "./restrict-peers.ts";

export interface BuiltService {
  definition: ServiceDefinition;
  service: Service;
}

interface Options {
  publicUrl: string;
  /** Aborts when draining has ended. */
  signal: AbortSignal;
  log: Logger;
  cleanup: Cleanup;
}

/** Builds the services in the order of their definitions. None of them starts background work. */
export async function buildServices(
  { config, definitions, env, services, serviceConfigs }: Setup,
  resources: Resources,
  { publicUrl, signal, log, cleanup }: Options,
): Promise<BuiltService[]> {
  const { dataDir, files, guard, metrics, outgoing, revocations, secrets, stores, workers } =
    resources;
  const built: BuiltService[] = [];
  for (const definition of definitions) {
    const service = await definition.create({
      config: serviceConfigs[definition.name] ?? {},
      log: log.child({ service: definition.name }),
      // getters: a service that does not declare a store never reads it
      get db() {
        return databaseOf(stores);
      },
      get queue() {
        return queueOf(stores);
      },
      cache: stores.cache,
      revocations,
      files,
      metrics,
      peer: restrictPeers(definition, env, resources.peer),
      hasPeer: (name) => isReachable(name, services, config),
      guard,
      outgoing,
      workers,
      secrets,
      publicUrl,
      dataDir,
      signal,
    });
    built.push({ definition, service });
    cleanup.add(async () => service.close?.());
  }
  return built;
}

function databaseOf({ db }: Stores): Database {
  if (!db) throw new Error("a service uses a database without declaring migrations");
  return db;
}

function queueOf({ queue }: Stores): Queue {
  if (!queue) throw new Error("a service uses the queue without declaring it");
  return queue;
}
