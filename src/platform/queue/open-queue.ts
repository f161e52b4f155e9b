import type { Database } from "../db/database.ts";
import type { Logger } from "../telemetry/log.ts";
import { openDatabaseQueue } from "./database-queue.ts";
import type { Queue } from "./queue.ts";
import { openRabbitQueue } from "./rabbitmq.ts";

/** RabbitMQ where it is configured, otherwise the queue in the database. With RabbitMQ a database is needed only to publish in transactions. */
export async function openQueue({
  db,
  amqpUrl,
  log,
}: {
  db?: Database | undefined;
  amqpUrl?: string | undefined;
  log: Logger;
}): Promise<Queue> {
  if (amqpUrl !== undefined) return openRabbitQueue({ url: amqpUrl, db, log });
  if (db === undefined) throw new Error("AMQP_URL: a queue needs RabbitMQ, or a database (DATABASE_URL).");
  return openDatabaseQueue({ db, log });
}
