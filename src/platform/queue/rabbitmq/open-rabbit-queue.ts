import { Connection } from "rabbitmq-client";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import { TooLarge, Unavailable } from "../../http/errors.ts";
import type { Logger } from "../../telemetry/log.ts";
import { encodeMessage } from "../message.ts";
import type { Queue } from "../queue.ts";
import { startRabbitConsumer } from "./consume.ts";
import {
  countBrokerMessages,
  discardDeadLetters,
  readDeadLetters,
  redriveDeadLetters,
} from "./dead-letters.ts";
import { insertOutbox, type OutboxMessage, startRelay } from "./outbox.ts";
import { BROKER_TIMEOUT_MS, createSend, type Send, withinTimeout } from "./send.ts";
import { createTopology, type Topology } from "./topology.ts";

interface Options {
  url: string;
  /** Publishing inside its transactions goes through the outbox. */
  db?: Database | undefined;
  log: Logger;
}

/**
 * A queue on RabbitMQ: quorum queues with confirms. A delayed message waits in a queue from which
 * it expires into the work queue. Dead letters are in `<queue>.dlq`.
 */
export async function openRabbitQueue({ url, db, log }: Options): Promise<Queue> {
  const connection = connect(url, log);
  const publisher = connection.createPublisher({ confirm: true, maxAttempts: 1 });
  const topology = createTopology(connection);
  const send = createSend(topology, publisher);
  const consumers = new Set<() => Promise<void>>();
  const folder = new URL("../migrations/", import.meta.url);
  if (db) await migrate(db, { schema: "queue", folder, log });
  const relay = db && startRelay(db, log, (row) => sendMessage(send, row));

  return {
    async publish(queue, data, { id = uuidv7(), delayMs = 0, pattern = queue } = {}) {
      const message = { queue, id, pattern, data, delayMs };
      if (!db) return sendMessage(send, message);
      const isSent =
        !db.inTransaction && connection.ready && (await trySend(send, message, log));
      if (isSent) return;
      // a message that no broker would take must not wait in the outbox
      encodeMessage({ pattern, data });
      await insertOutbox(db, message);
      relay?.soon();
    },

    async consume(queue, handler, options) {
      await withinTimeout(() => topology.declare(queue));
      const close = startRabbitConsumer({ connection, send, log, queue, handler, options });
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

function sendMessage(send: Send, { queue, id, pattern, data, delayMs }: OutboxMessage) {
  return send(queue, { pattern, data }, { id, tries: 0, delayMs });
}

/** @returns whether the broker confirmed it. Otherwise it belongs in the outbox. */
async function trySend(send: Send, message: OutboxMessage, log: Logger): Promise<boolean> {
  try {
    await sendMessage(send, message);
    return true;
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    const fields = { err: error, queue: message.queue };
    log.warn(fields, "RabbitMQ did not take a message; it waits in the outbox");
    return false;
  }
}
