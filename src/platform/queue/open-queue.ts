import type { Database } from "../db/database.ts";
import type { Logger } from "../telemetry/log.ts";
import { openDatabaseQueue } from "./database-queue.ts";
import type { Queue } from "./queue.ts";
import { openRabbitQueue } from "./rabbitmq/open-rabbit-queue.ts";
import type { QueueKind } from "./rabbitmq/topology.ts";

interface Options {
  db?: Database | undefined;
  amqpUrl?: string | undefined;
  /** Separates installations on one broker. */
  namespace?: string;
  /** Signs the messages at the broker. */
  serviceSecret?: string;
  /** How queues at the broker are declared. */
  queueKind?: QueueKind;
  log: Logger;
}

/**
 * Opens RabbitMQ where it is configured, otherwise the queue in the database. With RabbitMQ a
 * database is needed only to publish in transactions.
 */
export async function openQueue({
  db,
  amqpUrl,
  namespace = "",
  serviceSecret = "",
  queueKind: kind = "quorum",
  log,
}: Options): Promise<Queue> {
  if (amqpUrl !== undefined) {
    const queue = await openRabbitQueue({ url: amqpUrl, serviceSecret, kind, db, log });
    return inNamespace(queue, namespace && `${namespace}.`);
  }
  if (db === undefined)
    throw new Error("A queue needs RabbitMQ or a database. Set AMQP_URL or DATABASE_URL.");
  return openDatabaseQueue({ db, log });
}

/** Prefixes the names of queues at the broker. The pattern of messages stays without it. */
function inNamespace(queue: Queue, prefix: string): Queue {
  if (prefix === "") return queue;
  return {
    publish: (name, data, options) =>
      queue.publish(prefix + name, data, { pattern: name, ...options }),
    consume: (name, handler, options) => queue.consume(prefix + name, handler, options),
    deadLetters: (name, page) => queue.deadLetters(prefix + name, page),
    redrive: (name, ids) => queue.redrive(prefix + name, ids),
    discard: (name, ids) => queue.discard(prefix + name, ids),
    count: (name) => queue.count(prefix + name),
    ping: () => queue.ping(),
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}
