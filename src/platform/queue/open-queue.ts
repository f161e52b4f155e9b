import type { Database } from "../db/database.ts";
import type { Logger } from "../telemetry/log.ts";
import { openDatabaseQueue } from "./database-queue.ts";
import type { Queue } from "./queue.ts";
import { openRabbitQueue } from "./rabbitmq.ts";

/**
 * RabbitMQ where it is configured, otherwise the queue in the database. With RabbitMQ a database is
 * needed only to publish in transactions.
 */
export async function openQueue({
  db,
  amqpUrl,
  namespace = "",
  log,
}: {
  db?: Database | undefined;
  amqpUrl?: string | undefined;
  /** Keeps installations apart on one broker. */
  namespace?: string;
  log: Logger;
}): Promise<Queue> {
  if (amqpUrl !== undefined)
    return inNamespace(
      await openRabbitQueue({ url: amqpUrl, db, log }),
      namespace && `${namespace}.`,
    );
  if (db === undefined)
    throw new Error("AMQP_URL: a queue needs RabbitMQ, or a database (DATABASE_URL).");
  return openDatabaseQueue({ db, log });
}

/** The same queue under names of its own at the broker; patterns stay what consumers know. */
function inNamespace(queue: Queue, prefix: string): Queue {
  if (prefix === "") return queue;
  return {
    publish: (name, data, options) =>
      queue.publish(prefix + name, data, { pattern: name, ...options }),
    consume: (name, handler, options) => queue.consume(prefix + name, handler, options),
    consumed: () => queue.consumed().map((name) => name.slice(prefix.length)),
    deadLetters: (name, page) => queue.deadLetters(prefix + name, page),
    redrive: (name, ids) => queue.redrive(prefix + name, ids),
    ping: () => queue.ping(),
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}
