import { Connection } from "rabbitmq-client";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import { TooLarge, Unavailable } from "../../http/errors.ts";
import type { Logger } from "../../telemetry/log.ts";
import { encodeMessage } from "../message.ts";
import type { Queue } from "../queue.ts";
import { QUEUE_TABLES } from "../queue-tables.ts";
import { startRabbitConsumer } from "./consume.ts";
import {
  countBrokerMessages,
  discardDeadLetters,
  readDeadLetters,
  redriveDeadLetters,
} from "./dead-letters.ts";
import { BROKER_TIMEOUT_MS, createSend, type Send, withinTimeout } from "./send.ts";
import { createSigner } from "./signature.ts";
import { createTopology, type QueueKind, type Topology } from "./topology.ts";
import { AsyncLocalStorage } from "node:async_hooks";
import sql from "sql-template-tag";
import { coalesce } from "../../single-flight.ts";
import { jsonb } from "../../db/jsonb.ts";
import { claimRows, isExpired, type RowLease } from "../../lease/row-lease.ts";

interface Options {
  url: string;
  /** Signs and knows the messages of this installation. */
  serviceSecret: string;
  kind: QueueKind;
  /** Publishing inside its transactions goes through the outbox. */
  db?: Database | undefined;
  log: Logger;
}

/**
 * A queue on RabbitMQ, with confirms: quorum queues, if nobody declared or wants them otherwise. A
 * delayed message waits in a queue from which it expires into the work queue. Dead letters are in
 * `<queue>.dlq`.
 */
export async function openRabbitQueue(given: Options): Promise<Queue> {
  const { url, serviceSecret, kind, db, log } = given;
  const signer = createSigner(serviceSecret);
  const connection = connect(url, log);
  const publisher = connection.createPublisher({ confirm: true, maxAttempts: 1 });
  const topology = createTopology(connection, { kind, log });
  const send = createSend(topology, publisher);
  const publish: SendMessage = ({ queue, id, pattern, data, delayMs }) => {
    const body = { pattern, data };
    const signature = signer.sign(queue, id, body);
    return send(queue, body, { id, tries: 0, delayMs, signature });
  };
  const consumers = new Set<() => Promise<void>>();
  if (db) await migrate(db, { ...QUEUE_TABLES, log });
  const relay = db && startRelay(db, log, publish);

  return {
    async publish(queue, data, { id = uuidv7(), delayMs = 0, pattern = queue } = {}) {
      const message = { queue, id, pattern, data, delayMs };
      if (!db) return publish(message);
      const isSent =
        !db.inTransaction && connection.ready && (await trySend(publish, message, log));
      if (isSent) return;
      // a message that no broker would take must not wait in the outbox
      encodeMessage({ pattern, data });
      await insertOutbox(db, message);
      relay?.soon();
    },

    async consume(queue, handler, options) {
      await withinTimeout(() => topology.declare(queue));
      const close = startRabbitConsumer({
        connection,
        topology,
        send,
        signer,
        log,
        queue,
        handler,
        options,
      });
      consumers.add(close);
      return {
        async [Symbol.asyncDispose]() {
          consumers.delete(close);
          await close();
        },
      };
    },

    ...messagesOnBroker(connection, topology, send),

    async ping() {
      if (connection.ready) return;
      const sentence = "RabbitMQ does not answer. Try again in a moment.";
      throw new Unavailable("queue_unavailable", sentence);
    },

    async [Symbol.asyncDispose]() {
      await Promise.all([...consumers].map((close) => close()));
      await relay?.stop();
      await publisher.close();
      await connection.close();
    },
  };
}

/**
 * Reads and removes what the broker holds. Declares a queue first: it may not exist yet, or was
 * deleted there.
 */
function messagesOnBroker(
  connection: Connection,
  topology: Topology,
  send: Send,
): Pick<Queue, "deadLetters" | "redrive" | "discard" | "count"> {
  const declare = (queue: string) => {
    topology.forget(queue);
    return withinTimeout(() => topology.declare(queue));
  };
  return {
    async deadLetters(queue, page) {
      await declare(queue);
      return readDeadLetters(connection, queue, page);
    },
    async redrive(queue, ids) {
      await declare(queue);
      return redriveDeadLetters(connection, send, queue, ids);
    },
    async discard(queue, ids) {
      await declare(queue);
      return discardDeadLetters(connection, queue, ids);
    },
    async count(queue) {
      await declare(queue);
      return countBrokerMessages(connection, queue);
    },
  };
}

function connect(url: string, log: Logger): Connection {
  const connection = new Connection({
    url,
    connectionName: "parlance",
    retryLow: 500,
    retryHigh: 5_000,
    acquireTimeout: BROKER_TIMEOUT_MS,
  });
  connection.on("error", (error: unknown) =>
    log.warn({ err: error }, "RabbitMQ cannot be reached; check AMQP_URL"),
  );
  return connection;
}

type SendMessage = (message: OutboxMessage) => Promise<void>;

/** @returns whether the broker confirmed it. Otherwise it belongs in the outbox. */
async function trySend(
  publish: SendMessage,
  message: OutboxMessage,
  log: Logger,
): Promise<boolean> {
  try {
    await publish(message);
    return true;
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    const fields = { err: error, queue: message.queue };
    log.warn(fields, "RabbitMQ did not take a message; it waits in the outbox");
    return false;
  }
}

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

type OutboxMessage = Omit<OutboxRow, "position">;

/** Stores a message that is sent after the commit. */
async function insertOutbox(db: Database, message: OutboxMessage): Promise<void> {
  const { queue, id, pattern, data, delayMs } = message;
  await db.query(sql`insert into queue.outbox (queue, id, pattern, data, delay_ms)
    values (${queue}, ${id}, ${pattern}, ${jsonb(data)}, ${delayMs})`);
}

interface Relay {
  /** Relays soon, without waiting for the interval. */
  soon(): void;
  stop(): Promise<void>;
}

/** Sends the messages of the outbox. A row is deleted after the broker confirmed its message. */
function startRelay(
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
