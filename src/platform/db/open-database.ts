import pg from "pg";
import { makeFolder } from "../files/make-folder.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Database } from "./database.ts";
import { watchDisk } from "./disk.ts";
import { type Embedded, startEmbedded } from "./embedded.ts";
import { lockFolder } from "./lock-folder.ts";
import { poolNotifications, serverNotifications } from "./notifications.ts";
import { pooledDatabase } from "./pooled-database.ts";

interface OpenOptions {
  /** The address of a PostgreSQL server. Absent: PGlite in the data folder. */
  url?: string | undefined;
  dataDir: string;
  log: Logger;
  /**
   * The longest time of one statement. Default: 5 s on PostgreSQL; 20 s embedded, which is slower
   * and must restart to end a statement.
   */
  statementTimeoutMs?: number;
  /** Connections to PostgreSQL. Default 10. */
  connections?: number;
}

/**
 * Opens the database. Both kinds run the same SQL.
 * @throws Error when another process uses the data folder.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  return options.url === undefined
    ? openEmbedded(options)
    : openServer(options.url, options);
}

function openServer(
  url: string,
  { log, statementTimeoutMs = 5_000, connections = 10 }: OpenOptions,
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
    application_name: "parlance",
  });
  // compiling a plan takes longer than any statement here, and PostgreSQL decides by estimates
  pool.on("connect", (client) => void client.query("set jit = off").catch(() => {}));
  return pooledDatabase({ pool, log, notifications: serverNotifications(url, log) });
}

async function openEmbedded({
  dataDir,
  log,
  statementTimeoutMs = 20_000,
}: OpenOptions): Promise<Database> {
  await makeFolder(dataDir);
  const lock = await lockFolder(dataDir);
  let embedded: Embedded;
  try {
    embedded = await startEmbedded(dataDir, log);
  } catch (error) {
    await lock.release();
    throw error;
  }
  // exactly one connection: with several, PGlite's socket server mixes up their results
  const pool = new pg.Pool({
    host: embedded.socketFolder,
    user: "postgres",
    database: "postgres",
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: statementTimeoutMs * 1.5,
  });
  // PGlite has one session for all connections: reset what the former connection prepared
  pool.on(
    "connect",
    (client) => void client.query("deallocate all; reset all").catch(() => {}),
  );
  const disk = await watchDisk(dataDir, log);
  return pooledDatabase({
    pool,
    log,
    notifications: poolNotifications(pool),
    ready: () => embedded.ready(),
    runaway: {
      afterMs: statementTimeoutMs,
      end() {
        log.error("the embedded database does not answer; it is restarted");
        embedded.restart();
      },
    },
    guard: (text) => disk.guard(text),
    async close() {
      disk.stop();
      await embedded.stop();
      await lock.release();
    },
  });
}
