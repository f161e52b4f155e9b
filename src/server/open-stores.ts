import { openCache } from "../platform/cache/open-cache.ts";
import type { Database } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { openDatabase } from "../platform/db/open-database.ts";
import { type Leases, openLeases } from "../platform/lease/leases.ts";
import { openQueue } from "../platform/queue/open-queue.ts";
import type { Queue } from "../platform/queue/queue.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { Cleanup } from "./cleanup.ts";
import type { Setup } from "./configure.ts";

/** Opens the cache, and the database and the queue when a service declares that it uses them. */
export async function openStores(
  { config, definitions }: Pick<Setup, "config" | "definitions">,
  dataDir: string,
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
    const opened = await openDatabase({ url: config.DATABASE_URL, dataDir, log });
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
    const opened = await openQueue({ db, amqpUrl, namespace, log });
    queue = opened;
    cleanup.add(() => opened[Symbol.asyncDispose]());
    checks["queue"] = () => opened.ping();
  }
  const cache = await openCache({ redisUrl, namespace, log });
  cleanup.add(() => cache[Symbol.asyncDispose]());
  checks["cache"] = () => cache.ping();
  return { db, leases, queue, cache, checks };
}
