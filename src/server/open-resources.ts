import { resolve } from "node:path";
import type { App } from "../platform/http/app.ts";
import { GUARD_WITHOUT_ROLES } from "../platform/http/guard.ts";
import { createRemotes } from "../platform/http/remote.ts";
import type { Listener } from "../platform/http/server.ts";
import { openOutgoing } from "../platform/outgoing/open-outgoing.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { createMetrics } from "../platform/telemetry/metrics.ts";
import { createWorkers } from "../platform/workers/workers.ts";
import type { Cleanup } from "./cleanup.ts";
import type { Setup } from "./configure.ts";
import { openFiles } from "./files.ts";
import { createGuard } from "./guard.ts";
import { closeListeners, guardedPorts } from "./listeners.ts";
import { openRevocations } from "./open-revocations.ts";
import { openStores } from "./open-stores.ts";
import { createPeers } from "./peers.ts";
import { loadSecrets } from "./secrets.ts";

export type Resources = Awaited<ReturnType<typeof openResources>>;

/** Opens everything that the services of this process share. `app`: serves calls between them. */
export async function openResources(
  setup: Setup,
  log: Logger,
  cleanup: Cleanup,
  app: () => App,
) {
  const { config, services, allServices } = setup;
  const dataDir = resolve(config.DATA_DIR);
  const secrets = await loadSecrets(config, dataDir, allServices);
  const stores = await openStores(setup, dataDir, log, cleanup);
  const listeners: Listener[] = [];
  cleanup.add(() => closeListeners(listeners));

  const ownPorts = () => guardedPorts(config, listeners);
  const outgoing = openOutgoing({ allow: config.OUTGOING_ALLOW, own: ownPorts });
  cleanup.add(() => outgoing[Symbol.asyncDispose]());
  const remotes = createRemotes();
  cleanup.add(() => remotes[Symbol.asyncDispose]());
  const workers = createWorkers();
  cleanup.add(() => workers[Symbol.asyncDispose]());
  const files = openFiles(config, dataDir, ownPorts);
  cleanup.add(() => files[Symbol.asyncDispose]());

  const peer = createPeers({ here: services, config, secrets, remotes, app });
  const hasUsers = services.includes("users") || config.USER_SERVICE_URL !== undefined;
  const users = () => peer("users");
  const revocations = openRevocations(hasUsers ? users : undefined, log);
  cleanup.add(() => revocations.close());
  const guard = hasUsers ? createGuard({ users, revocations }) : GUARD_WITHOUT_ROLES;
  return {
    dataDir,
    secrets,
    stores,
    listeners,
    outgoing,
    workers,
    files,
    metrics: createMetrics(),
    peer,
    hasUsers,
    revocations,
    guard,
  };
}
