import type pg from "pg";
import {
  databaseUnavailable,
  diskFull,
  isConnectionLost,
  isDiskFull,
  isTooSlow,
  tooSlow,
} from "./errors.ts";

export interface ConnectionOptions {
  pool: pg.Pool;
  /** Resolves when a connection can be opened. */
  ready?: () => Promise<void>;
  /** Ends a statement that the database itself cannot end. */
  runaway?: { afterMs: number; end: () => void };
  /** Throws when a statement must not run now. */
  guard?: (text: string) => void;
}

/** Takes connections from a pool and runs statements on them. */
export interface Connections {
  /** @throws Unavailable `database_unavailable`. */
  take(): Promise<pg.PoolClient>;
  /**
   * `isUnbounded`: the statement may take any time.
   * @throws Unavailable `database_unavailable` when the connection is lost, `database_too_slow`
   * when the statement took too long.
   */
  run(
    client: pg.PoolClient,
    statement: pg.QueryConfig,
    isUnbounded?: boolean,
  ): Promise<pg.QueryResult>;
}

export function createConnections(options: ConnectionOptions): Connections {
  const { pool, ready, runaway, guard } = options;
  return {
    async take() {
      try {
        await ready?.();
        return await pool.connect();
      } catch (error) {
        // the database accepts connections and does not answer on them
        if (error instanceof Error && error.message.includes("due to connection timeout"))
          runaway?.end();
        throw databaseUnavailable(error);
      }
    },
    async run(client, statement, isUnbounded = false) {
      guard?.(statement.text);
      let ranAway = false;
      const end = () => {
        ranAway = true;
        runaway?.end();
      };
      const timer = runaway && !isUnbounded && setTimeout(end, runaway.afterMs);
      try {
        return await resultOf(client, statement);
      } catch (error) {
        if (isDiskFull(error)) throw diskFull(error);
        if (ranAway || isTooSlow(error)) throw tooSlow(error);
        throw isConnectionLost(error) ? databaseUnavailable(error) : error;
      } finally {
        if (timer) clearTimeout(timer);
      }
    },
  };
}

/**
 * Uses the callback: the client's own promise would keep each statement and its rows in the old
 * generation until the next full collection.
 */
function resultOf(
  client: pg.PoolClient,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(statement, (error, result) => (error ? reject(error) : resolve(result)));
  });
}
