import pg from "pg";
import { makeFolder } from "../files/make-folder.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Database, QueryOptions } from "./database.ts";
import { type Embedded, startEmbedded } from "./embedded.ts";
import {
  poolNotifications,
  serverNotifications,
  type Notifications,
} from "./notifications.ts";
import { statfs } from "node:fs/promises";
import { diskFull, databaseUnavailable } from "./errors.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import sql, { type Sql } from "sql-template-tag";
import { Unavailable } from "../http/errors.ts";
import {
  type ConnectionOptions,
  type Connections,
  createConnections,
} from "./connections.ts";
import { storable } from "./jsonb.ts";
import { createTransactions } from "./transactions.ts";

interface OpenOptions {
  /** The address of a PostgreSQL server. Absent: PGlite in the data folder. */
  url?: string | undefined;
  dataDir: string;
  /** Finds the folder of a database that a new embedded one copies; without it one is created. */
  findTemplate?: (() => Promise<string | undefined>) | undefined;
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
  // compiling a plan takes longer than any statement here, and PostgreSQL decides by estimates;
  // without the setting statements are slower, not wrong
  pool.on("connect", (client) => void client.query("set jit = off").catch(() => {}));
  const notifications = serverNotifications(url, log);
  return pooledDatabase({ pool, log, notifications, isEmbedded: false });
}

async function openEmbedded({
  dataDir,
  findTemplate,
  log,
  statementTimeoutMs = 20_000,
}: OpenOptions): Promise<Database> {
  await makeFolder(dataDir);
  const lock = await lockFolder(dataDir);
  let embedded: Embedded;
  try {
    embedded = await startEmbedded(dataDir, { findTemplate, log });
  } catch (error) {
    await lock.release();
    throw error;
  }
  // exactly one connection: PGlite has one session, which serves one after the other
  const pool = new pg.Pool({
    host: embedded.socketFolder,
    user: "postgres",
    database: "postgres",
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: statementTimeoutMs * 1.5,
  });
  // PGlite has one session for all connections: reset what the former connection prepared
  pool.on("connect", (client) => {
    // where that fails, the connection is broken, and the next statement says so
    client.query("deallocate all; reset all").catch(() => {});
  });
  const disk = await watchDisk(dataDir, log);
  return pooledDatabase({
    pool,
    log,
    notifications: poolNotifications(pool),
    isEmbedded: true,
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

/**
 * A database that cannot write its log may not start again, so writes stop while there is still
 * space for its own work.
 */
const RESERVE_BYTES = 256 * 2 ** 20;
const CHECK_INTERVAL_MS = 5_000;

/** Refuses statements that add data while the disk is nearly full. Reads and deletes continue. */
async function watchDisk(folder: string, log: Logger) {
  let isFull = false;
  const check = async () => {
    const { bavail, bsize } = await statfs(folder);
    const wasFull = isFull;
    isFull = bavail * bsize < RESERVE_BYTES;
    if (isFull && !wasFull)
      log.error({ folder }, "the disk of the data folder is full: free space");
    if (!isFull && wasFull)
      log.info({ folder }, "the disk of the data folder has space again");
  };
  const logFailure = (error: unknown) =>
    log.warn({ err: error, folder }, "the free space of the data folder could not be read");
  await check();
  const timer = setInterval(
    () => void check().catch(logFailure),
    CHECK_INTERVAL_MS,
  ).unref();
  return {
    /** @throws Unavailable `disk_full` for a statement that adds data. */
    guard(statement: string): void {
      if (isFull && /\b(insert|(?<!for )update|merge|create)\b/i.test(statement))
        throw diskFull();
    },
    stop: () => clearInterval(timer),
  };
}

const SQLITE_BUSY = 5;

interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks a data folder for this process. The lock is SQLite's, on an empty file, and the kernel
 * releases it when the process ends in any way: it is never stale, and of two processes that start
 * at once only one gets it.
 * @throws Error that names the process that holds the lock.
 */
async function lockFolder(folder: string): Promise<FolderLock> {
  const file = join(folder, "lock");
  const holder = join(folder, "lock.pid");
  const lock = new DatabaseSync(file);
  try {
    lock.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    lock.close();
    const isBusy =
      error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
    if (!isBusy) throw error;
    const pid = readPid(holder);
    const owner = pid ? `Process ${pid}` : "Another process";
    throw new Error(
      `${owner} already uses the data folder ${folder}. Stop it first, or set another DATA_DIR.`,
      { cause: error },
    );
  }
  writeFileSync(holder, String(process.pid), { mode: 0o600 });
  return { release: async () => lock.close() };
}

function readPid(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}

interface PooledOptions extends ConnectionOptions {
  log: Logger;
  notifications: Notifications;
  isEmbedded: boolean;
  close?: () => Promise<void>;
}

/** A database behind a pool of connections. */
function pooledDatabase(options: PooledOptions): Database {
  const { pool, log, notifications, isEmbedded, close } = options;
  pool.on("error", (error) => log.warn({ err: error }, "a database connection was lost"));
  // without a listener, a connection that is lost while it is lent would end the process; the query
  // on it fails as well
  pool.on("connect", (client) => client.on("error", () => {}));
  const connections = createConnections(options);
  const transactions = createTransactions(connections);

  async function query<Row extends object>(
    { text, values }: Sql,
    { name, unbounded = false }: QueryOptions = {},
  ): Promise<Row[]> {
    const config = {
      ...(name !== undefined && { name }),
      text,
      values: values.map(storable),
    };
    const inTransaction = transactions.run(config);
    // the caller's SQL names the columns of its Row
    if (inTransaction) return (await inTransaction).rows as Row[];
    const client = await connections.take();
    let isLost = false;
    try {
      return (await connections.run(client, config, unbounded)).rows as Row[];
    } catch (error) {
      isLost = error instanceof Unavailable;
      throw error;
    } finally {
      client.release(isLost);
    }
  }

  return {
    query,
    isEmbedded,
    tx: (work, transaction = {}) => transactions.begin(work, transaction),
    get inTransaction() {
      return transactions.isActive;
    },
    listen: notifications.listen,
    async notify(channel, payload) {
      await query(sql`select pg_notify(${channel}, ${payload})`);
    },
    ping: () => checkAnswer(connections),
    async [Symbol.asyncDispose]() {
      await notifications[Symbol.asyncDispose]();
      await pool.end();
      await close?.();
    },
  };
}

async function checkAnswer({ take, run }: Connections): Promise<void> {
  const client = await take();
  try {
    // a broken PGlite returns no rows and no error
    const { rows } = await run(client, { text: "select 41 + 1 as answer" });
    if ((rows[0] as { answer?: number } | undefined)?.answer !== 42)
      throw databaseUnavailable();
  } finally {
    client.release();
  }
}
