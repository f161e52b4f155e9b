import sql, { type Sql } from "sql-template-tag";
import { Unavailable } from "../http/errors.ts";
import type { Logger } from "../telemetry/log.ts";
import {
  type ConnectionOptions,
  type Connections,
  createConnections,
} from "./connections.ts";
import type { Database, QueryOptions } from "./database.ts";
import { databaseUnavailable } from "./errors.ts";
import { storable } from "./jsonb.ts";
import type { Notifications } from "./notifications.ts";
import { createTransactions } from "./transactions.ts";

interface PooledOptions extends ConnectionOptions {
  log: Logger;
  notifications: Notifications;
  isEmbedded: boolean;
  close?: () => Promise<void>;
}

/** A database behind a pool of connections. */
export function pooledDatabase(options: PooledOptions): Database {
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
    listen: (channel, listener) => notifications.listen(channel, listener),
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
