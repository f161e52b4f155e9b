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
import { createSigner } from "./signature.ts";
import { createTopology, type QueueKind, type Topology } from "./topology.ts";

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
  const folder = new URL("../migrations/", import.meta.url);
  if (db) await migrate(db, { schema: "queue", folder, log });
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
