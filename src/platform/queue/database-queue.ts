import { uuidv7 } from "uuidv7";
import { createBatcher } from "../db/batch.ts";
import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { QUEUE_TABLES } from "./queue-tables.ts";
import type { Logger } from "../telemetry/log.ts";
import { type DatabaseConsumer, startDatabaseConsumer } from "./database-consumer.ts";
import { encodeMessage } from "./message.ts";
import {
  CHANNEL,
  countMessages,
  deleteDeadLetters,
  findDeadLetters,
  insertMessages,
  type NewMessage,
  reviveMessages,
} from "./message-store.ts";
import type { Queue } from "./queue.ts";
import { watchDue } from "./watch-due.ts";

const MAX_MESSAGES_PER_INSERT = 200;

interface Options {
  db: Database;
  log: Logger;
}

/** A durable queue in the service's own database: `SKIP LOCKED`, leases, backoff, dead letters. */
export async function openDatabaseQueue({ db, log }: Options): Promise<Queue> {
  await migrate(db, { ...QUEUE_TABLES, log });
  const consumers = new Set<DatabaseConsumer>();
  const wake = (queue: string) => {
    for (const consumer of consumers) if (consumer.queue === queue) consumer.wake();
  };
  const consumed = () => [...new Set([...consumers].map(({ queue }) => queue))];
  const watch = watchDue(db, consumed, wake);
  const heard = (queue: string) => {
    wake(queue);
    watch.wake();
  };
  const subscription = await db.listen(CHANNEL, heard, watch.wake);
  const insertInGroups = createBatcher<NewMessage>(MAX_MESSAGES_PER_INSERT, (messages) =>
    insertMessages(db, messages),
  );
  return {
    async publish(queue, data, { id = uuidv7(), delayMs = 0, pattern = queue } = {}) {
      encodeMessage({ pattern, data });
      const message = { queue, id, pattern, delayMs, data };
      if (db.inTransaction) return insertMessages(db, [message]);
      await insertInGroups(message);
      // the connection for notifications may be broken, and nobody know it yet
      heard(queue);
    },
    async consume(queue, handler, options) {
      const consumer = startDatabaseConsumer({ db, log, queue, handler, options });
      consumers.add(consumer);
      watch.wake();
      return {
        async [Symbol.asyncDispose]() {
          consumers.delete(consumer);
          await consumer.stop();
        },
      };
    },
    count: (queue) => countMessages(db, queue),
    deadLetters: (queue, page) => findDeadLetters(db, queue, page),
    redrive: (queue, ids) => reviveMessages(db, queue, ids),
    discard: (queue, ids) => deleteDeadLetters(db, queue, ids),
    ping: () => db.ping(),
    async [Symbol.asyncDispose]() {
      await watch[Symbol.asyncDispose]();
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      consumers.clear();
      await subscription[Symbol.asyncDispose]();
    },
  };
}
