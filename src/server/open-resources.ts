import { resolve, join } from "node:path";
import type { App } from "../platform/http/app.ts";
import { GUARD_WITHOUT_ROLES } from "../platform/http/guard.ts";
import { createRemotes } from "../platform/http/remote.ts";
import type { Listener } from "../platform/http/server.ts";
import { openEndpoints } from "../platform/outgoing/open-endpoints.ts";
import { openOutgoing } from "../platform/outgoing/open-outgoing.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { createMetrics } from "../platform/telemetry/metrics.ts";
import { createWorkers } from "../platform/workers/workers.ts";
import type { Cleanup } from "./cleanup.ts";
import type { Setup } from "./configure.ts";
import { createGuard } from "./guard.ts";
import { closeListeners, guardedPorts } from "./listeners.ts";
import { createPeers, isReachable } from "./peers.ts";
import { loadSecrets } from "./secrets.ts";
import { createRevocations, type Revocations } from "../platform/auth/revocations.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import {
  addressesContract,
  ADDRESSES_CHANGED,
} from "../services/core/catalogue/contract-addresses.ts";
import { revocationsContract } from "../services/users/contract-revocations.ts";
import { openCache } from "../platform/cache/open-cache.ts";
import type { Database } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { openDatabase } from "../platform/db/open-database.ts";
import { findTemplate } from "./database-template.ts";
import { type Leases, openLeases } from "../platform/lease/leases.ts";
import { openQueue } from "../platform/queue/open-queue.ts";
import type { Queue } from "../platform/queue/queue.ts";
import { ConfigError } from "../platform/config/read-config.ts";
import { diskFiles, removeParts } from "../platform/files/disk-files.ts";
import type { Files } from "../platform/files/files.ts";
import { createS3 } from "../platform/files/s3-client.ts";
import { s3Files } from "../platform/files/s3-files.ts";
import { sealedFiles, type SealedFiles } from "../platform/files/sealed-files.ts";
import type { ServiceName } from "../platform/service.ts";
import type { ServerConfig } from "./config.ts";

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
  const stores = await openStores(setup, dataDir, secrets.SERVICE_SECRET, log, cleanup);
  const listeners: Listener[] = [];
  cleanup.add(() => closeListeners(listeners));

  const ownPorts = () => guardedPorts(config, listeners);
  const outgoing = openOutgoing({ allow: config.OUTGOING_ALLOW, own: ownPorts });
  cleanup.add(() => outgoing[Symbol.asyncDispose]());
  const remotes = createRemotes();
  cleanup.add(() => remotes[Symbol.asyncDispose]());
  const workers = createWorkers({ log });
  cleanup.add(() => workers[Symbol.asyncDispose]());
  const files = openFiles(config, dataDir, ownPorts);
  cleanup.add(() => files[Symbol.asyncDispose]());

  const peer = createPeers({ here: services, config, secrets, remotes, app });
  const endpoints = openEndpoints({
    allow: config.OUTGOING_ALLOW,
    own: ownPorts,
    read: readsAllowedAddresses(setup)
      ? () => readAllowedAddresses(peer("core"))
      : undefined,
    log,
  });
  cleanup.add(() => endpoints[Symbol.asyncDispose]());
  const changes = await stores.cache.subscribe(
    ADDRESSES_CHANGED,
    () => void endpoints.refresh(),
  );
  cleanup.add(() => changes[Symbol.asyncDispose]());
  const hasUsers = services.includes("users") || config.USER_SERVICE_URL !== undefined;
  const users = () => peer("users");
  const revocations = openRevocations(hasUsers ? users : undefined, {
    isNotified: services.includes("users") && config.DATABASE_URL === undefined,
    log,
  });
  cleanup.add(() => revocations.close());
  const guard = hasUsers ? createGuard({ users, revocations }) : GUARD_WITHOUT_ROLES;
  return {
    dataDir,
    secrets,
    stores,
    listeners,
    outgoing,
    endpoints,
    workers,
    files,
    metrics: createMetrics(),
    peer,
    hasUsers,
    revocations,
    guard,
  };
}

/** Those that call providers and tool servers. */
const CALLERS: readonly ServiceName[] = ["completion", "core", "embedding", "tool-gateway"];

function readsAllowedAddresses({ config, services }: Setup): boolean {
  const calls = services.some((name) => CALLERS.includes(name));
  return config.OUTGOING_GRANTS && calls && isReachable("core", services, config);
}

function readAllowedAddresses(core: Fetch): Promise<string[]> {
  const { readAllowedAddresses: route } = addressesContract;
  return call(core, route, {}, { timeoutMs: 5_000 });
}

/** Between two reads that only make sure of what notifications have said. */
const NOTIFIED_MS = 15_000;

interface Options {
  /** Whether every entry is announced here: there is no other process and no connection to lose. */
  isNotified: boolean;
  log: Logger;
}

/**
 * This process's copy of revoked tokens and users, read from the users service. Without a users
 * service it accepts tokens until they expire, and logs a warning.
 */
function openRevocations(
  users: (() => Fetch) | undefined,
  { isNotified, log }: Options,
): Revocations {
  if (users === undefined) {
    log.warn(
      "USER_SERVICE_URL is not set: this process accepts revoked tokens until they expire",
    );
    return NO_REVOCATIONS;
  }
  const read = (after: number) =>
    call(
      users(),
      revocationsContract.listRevocations,
      { query: { after } },
      { timeoutMs: 5_000 },
    );
  return createRevocations({ read, log, ...(isNotified && { intervalMs: NOTIFIED_MS }) });
}

const NO_REVOCATIONS: Revocations = {
  check() {},
  rolesVersion: 0,
  async refresh() {},
  async ping() {},
  async close() {},
};

/** Opens the cache, and the database and the queue when a service declares that it uses them. */
async function openStores(
  { config, definitions }: Pick<Setup, "config" | "definitions">,
  dataDir: string,
  serviceSecret: string,
  log: Logger,
  cleanup: Cleanup,
) {
  const needsDatabase = definitions.some(({ migrations }) => migrations !== undefined);
  const needsQueue = definitions.some(({ queue }) => queue === true);
  const { AMQP_URL: amqpUrl, REDIS_URL: redisUrl, NAMESPACE: namespace } = config;
  const checks: Record<string, () => Promise<void>> = {};
  let db: Database | undefined;
  let leases: Leases | undefined;
  // without RabbitMQ the queue is in the database
  if (needsDatabase || (needsQueue && !amqpUrl)) {
    const opened = await openDatabase({
      url: config.DATABASE_URL,
      dataDir,
      findTemplate,
      log,
    });
    db = opened;
    cleanup.add(() => opened[Symbol.asyncDispose]());
    checks["database"] = () => opened.ping();
    leases = await openLeases({ db: opened, log });
    for (const { name, schema = name, migrations } of definitions)
      if (migrations)
        await migrate(opened, {
          schema: schema.replace("-", "_"),
          folder: migrations,
          log,
        });
  }
  let queue: Queue | undefined;
  if (needsQueue) {
    const queueKind = config.AMQP_QUEUES;
    const opened = await openQueue({
      db,
      amqpUrl,
      namespace,
      serviceSecret,
      queueKind,
      log,
    });
    queue = opened;
    cleanup.add(() => opened[Symbol.asyncDispose]());
    checks["queue"] = () => opened.ping();
  }
  const cache = await openCache({ redisUrl, namespace, serviceSecret, log });
  cleanup.add(() => cache[Symbol.asyncDispose]());
  checks["cache"] = () => cache.ping();
  return { db, leases, queue, cache, checks };
}

interface OpenFiles extends SealedFiles, AsyncDisposable {
  checks: Record<string, () => Promise<void>>;
}

const CHECK_TIMEOUT_MS = 3_000;
/** Older parts of uploads are abandoned: no upload takes longer. */
const MAX_PART_AGE_MS = 6 * 3_600_000;

/**
 * Opens the file storage: the bucket S3_BUCKET, or the data folder without one. Files are encrypted
 * with FILES_ENCRYPTION_KEY where it is set.
 * @throws ConfigError for a bucket without its keys.
 */
export function openFiles(
  config: ServerConfig,
  dataDir: string,
  ownPorts: () => readonly number[],
): OpenFiles {
  const storage = openStorage(config, dataDir, ownPorts);
  return {
    ...storage,
    ...sealedFiles(storage, config.FILES_ENCRYPTION_KEY?.split(",") ?? []),
  };
}

function openStorage(
  {
    S3_BUCKET: bucket,
    S3_ENDPOINT,
    S3_REGION: region,
    S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY,
    S3_PREFIX,
    OUTGOING_ALLOW,
  }: ServerConfig,
  dataDir: string,
  ownPorts: () => readonly number[],
): Files & AsyncDisposable & Pick<OpenFiles, "checks"> {
  if (!bucket) {
    const folder = join(dataDir, "files");
    // in the background; a later start deletes what this one cannot
    void removeParts(folder, Date.now() - MAX_PART_AGE_MS).catch(() => {});
    return { ...diskFiles(folder), checks: {}, async [Symbol.asyncDispose]() {} };
  }
  if (!S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY)
    throw new ConfigError(
      "S3_BUCKET is set, so S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set as well.",
    );
  const endpoint = S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`;
  // S3_ENDPOINT allows its own host, even a private one
  const outgoing = openOutgoing({
    allow: [...OUTGOING_ALLOW, new URL(endpoint).host, new URL(endpoint).hostname],
    own: ownPorts,
  });
  const keys = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY };
  const client = createS3({ endpoint, region, bucket, ...keys }, outgoing.fetch);
  return {
    ...s3Files(client, S3_PREFIX),
    checks: {
      async "file storage"() {
        await client.list(S3_PREFIX, undefined, AbortSignal.timeout(CHECK_TIMEOUT_MS));
      },
    },
    [Symbol.asyncDispose]: () => outgoing[Symbol.asyncDispose](),
  };
}
