import { AsyncLocalStorage } from "node:async_hooks";
import sql from "sql-template-tag";
import type { Database } from "../../db/database.ts";
import { coalesce } from "../../single-flight.ts";
import { jsonb } from "../../db/jsonb.ts";
import { claimRows, isExpired, type RowLease } from "../../lease/row-lease.ts";
import type { Logger } from "../../telemetry/log.ts";

const RELAY_INTERVAL_MS = 1_000;
/** After a publication inside a transaction: its commit follows in a moment. */
const COMMIT_DELAY_MS = 20;
const MAX_ROWS_PER_RELAY = 200;

const LEASE: RowLease = {
  table: sql`queue.outbox`,
  until: sql`due_at`,
  durationMs: 30_000,
};

interface OutboxRow {
  position: string;
  queue: string;
  id: string;
  pattern: string;
  data: unknown;
  delayMs: number;
}

export type OutboxMessage = Omit<OutboxRow, "position">;

/** Stores a message that is sent after the commit. */
export async function insertOutbox(db: Database, message: OutboxMessage): Promise<void> {
  const { queue, id, pattern, data, delayMs } = message;
  await db.query(sql`insert into queue.outbox (queue, id, pattern, data, delay_ms)
    values (${queue}, ${id}, ${pattern}, ${jsonb(data)}, ${delayMs})`);
}

export interface Relay {
  /** Relays soon, without waiting for the interval. */
  soon(): void;
  stop(): Promise<void>;
}

/** Sends the messages of the outbox. A row is deleted after the broker confirmed its message. */
export function startRelay(
  db: Database,
  log: Logger,
  send: (row: OutboxRow) => Promise<void>,
): Relay {
  const relay = coalesce(async () => {
    while ((await relayOnce(db, send)) === MAX_ROWS_PER_RELAY);
  });
  // called inside a transaction, it must not join it
  const outside = AsyncLocalStorage.snapshot();
  let running: Promise<void> | undefined;
  const run = () => {
    running = outside(relay).catch((error: unknown) =>
      log.warn(
        { err: error },
        "messages wait in the outbox; check that RabbitMQ is reachable",
      ),
    );
  };
  const timer = setInterval(run, RELAY_INTERVAL_MS).unref();
  return {
    soon: () => void setTimeout(run, COMMIT_DELAY_MS).unref(),
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** @returns how many rows were sent. @throws what the first failed send threw. */
async function relayOnce(
  db: Database,
  send: (row: OutboxRow) => Promise<void>,
): Promise<number> {
  const rows = await claimRows<OutboxRow>(db, LEASE, {
    due: sql`select ctid from queue.outbox where ${isExpired(sql`due_at`)}
      order by position limit ${MAX_ROWS_PER_RELAY} for update skip locked`,
    returning: sql`position, queue, id, pattern, data, delay_ms as "delayMs"`,
  });
  if (rows.length === 0) return 0;
  rows.sort((one, other) => Number(one.position) - Number(other.position));
  // sent in order, confirmed together
  const results = await Promise.allSettled(rows.map(send));
  const positionsOf = (status: "fulfilled" | "rejected") =>
    rows
      .filter((_, index) => results[index]?.status === status)
      .map(({ position }) => position);
  await db.query(sql`delete from queue.outbox
    where position = any(${positionsOf("fulfilled")}::bigint[])`);
  const failed = results.find((result) => result.status === "rejected");
  if (!failed) return rows.length;
  // due at the next run
  await db.query(sql`update queue.outbox set due_at = now()
    where position = any(${positionsOf("rejected")}::bigint[])`);
  throw failed.reason;
}
