import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { type AsyncMessage, Connection, ConsumerStatus, type Envelope } from "rabbitmq-client";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { jsonb } from "../db/jsonb.ts";
import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { Unavailable } from "../http/errors.ts";
import type { Logger } from "../telemetry/log.ts";
import { backoff } from "./backoff.ts";
import { finishWork, judge } from "./finish-work.ts";
import { type DeadLetter, Poison, type PublishOptions, type Queue } from "./queue.ts";

const PUBLISH_TIMEOUT = 10_000;
const SWEEP_MS = 1_000;
/** What a relay took to send is another's again this long after. */
const OUTBOX_LEASE_MS = 30_000;
/** Messages that it hands over at once. */
const RELAYED = 200;
/** How often the broker hands a message to workers that end without a word, before it is dead. */
const DELIVERY_LIMIT = 20;

interface RabbitOptions {
  url: string;
  db?: Database | undefined;
  log: Logger;
}

/**
 * Quorum queues with confirms; waits are queues whose messages expire back into work; the dead lie
 * in `<queue>.dlq`.
 */
export async function openRabbitQueue({ url, db, log }: RabbitOptions): Promise<Queue> {
  const connection = new Connection({
    url,
    connectionName: "parlance",
    retryLow: 500,
    retryHigh: 5_000,
    acquireTimeout: PUBLISH_TIMEOUT,
  });
  connection.on("error", (error: unknown) =>
    log.warn({ err: error }, "RabbitMQ cannot be reached"),
  );
  const publisher = connection.createPublisher({ confirm: true, maxAttempts: 1 });
  const declared = new Map<string, Promise<void>>();
  const consumers = new Map<() => Promise<void>, string>();
  if (db)
    await migrate(db, { schema: "queue", folder: new URL("./migrations/", import.meta.url), log });

  /** Declares a work queue and its dead letters, once. */
  const declare = (queue: string) =>
    once(declared, queue, async () => {
      await connection.queueDeclare({
        queue: `${queue}.dlq`,
        durable: true,
        arguments: DEAD_ARGUMENTS,
      });
      await connection.queueDeclare({ queue, durable: true, arguments: workArguments(queue) });
    });
  /** A queue where messages wait: its name says how long. */
  const declareWait = (queue: string, ms: number) =>
    once(declared, `${queue}.wait.${ms}`, async () => {
      await connection.queueDeclare({
        queue: `${queue}.wait.${ms}`,
        durable: true,
        arguments: waitArguments(queue, ms),
      });
    });

  /**
   * The broker takes messages back a moment after they were given up; whoever looks next must find
   * them.
   */
  async function areBack(queue: string, count: number): Promise<void> {
    for (let look = 0; look < 40; look += 1) {
      const { messageCount } = await connection.queueDeclare({
        queue: `${queue}.dlq`,
        passive: true,
      });
      if (messageCount >= count) return;
      await sleep(25);
    }
  }

  async function send(
    queue: string,
    body: object,
    envelope: { id: string; tries: number; delayMs: number; error?: string },
    target = queue,
  ) {
    await reachable(async () => {
      await declare(queue);
      const wait = envelope.delayMs > 0 ? waitStep(envelope.delayMs) : 0;
      if (wait > 0) await declareWait(queue, wait);
      const to: Envelope = {
        routingKey: wait > 0 ? `${queue}.wait.${wait}` : target,
        messageId: envelope.id,
        durable: true,
        headers: {
          "x-tries": envelope.tries,
          ...(envelope.error && { "x-error": envelope.error.slice(0, 500) }),
        },
      };
      await publisher.send(to, body);
    });
  }

  const relay =
    db &&
    startRelay(db, log, (row) =>
      send(
        row.queue,
        { pattern: row.pattern, data: row.data },
        { id: row.id, tries: 0, delayMs: row.delayMs },
      ),
    );

  return {
    async publish(
      queue,
      data,
      { id = uuidv7(), delayMs = 0, pattern = queue }: PublishOptions = {},
    ) {
      const direct = () => send(queue, { pattern, data }, { id, tries: 0, delayMs });
      if (!db) return direct();
      if (!db.inTransaction && connection.ready) {
        try {
          return await direct();
        } catch (error) {
          log.warn(
            { err: error, queue },
            "RabbitMQ does not take a message; it waits in the outbox",
          );
        }
      }
      await db.query(sql`insert into queue.outbox (queue, id, pattern, data, delay_ms)
        values (${queue}, ${id}, ${pattern}, ${jsonb(data)}, ${delayMs})`);
      relay?.soon();
    },

    async consume(queue, handler, { prefetch = 8, tries: most = 5, backoffMs = 1_000 } = {}) {
      await reachable(() => declare(queue));
      const abandoned = new AbortController();
      const work = async (message: AsyncMessage) => {
        const { id, attempt, body } = opened(message);
        try {
          if (attempt > most) throw new Poison("its worker ended at every try");
          if (body === undefined) throw new Poison("its body is not {pattern, data}");
          await handler({ id, attempt, data: body.data, signal: abandoned.signal });
          return ConsumerStatus.ACK;
        } catch (error) {
          const { reason, last } = judge(error, attempt, most);
          log[last ? "error" : "warn"](
            { err: error, queue, id, tries: attempt },
            last ? "a message went to the dead letters" : "a message will be tried again",
          );
          const next = last ? { delayMs: 0 } : { delayMs: backoff(attempt, backoffMs) };
          // confirmed before the old one is acknowledged: it may come twice, never not at all
          await send(
            queue,
            body ?? { pattern: queue, data: null },
            { id, tries: attempt, error: reason, ...next },
            last ? `${queue}.dlq` : queue,
          );
          return ConsumerStatus.ACK;
        }
      };
      const consumer = connection.createConsumer(
        {
          queue,
          queueOptions: { durable: true, arguments: workArguments(queue) },
          qos: { prefetchCount: prefetch },
          requeue: true,
        },
        work,
      );
      consumer.on("error", (error: unknown) =>
        log.warn({ err: error, queue }, "a consumer failed and goes on"),
      );
      const close = () => finishWork(consumer.close(), abandoned);
      consumers.set(close, queue);
      return {
        async [Symbol.asyncDispose]() {
          consumers.delete(close);
          await close();
        },
      };
    },

    consumed: () => [...new Set(consumers.values())],

    async deadLetters(queue, { limit, offset }) {
      await reachable(() => declare(queue));
      const channel = await connection.acquire();
      const items: DeadLetter[] = [];
      let total = 0;
      try {
        total = (await channel.queueDeclare({ queue: `${queue}.dlq`, passive: true })).messageCount;
        for (let index = 0; index < Math.min(offset + limit, total); index += 1) {
          const message = await channel.basicGet({ queue: `${queue}.dlq` });
          if (message === undefined) break;
          if (index >= offset) items.push(deadLetterOf(message));
        }
      } finally {
        // what was looked at and not acknowledged goes back
        await channel.close();
      }
      await areBack(queue, total);
      return { items, total };
    },

    async redrive(queue, ids) {
      await reachable(() => declare(queue));
      const channel = await connection.acquire();
      let moved = 0;
      try {
        const { messageCount } = await channel.queueDeclare({
          queue: `${queue}.dlq`,
          passive: true,
        });
        for (let index = 0; index < messageCount; index += 1) {
          const message = await channel.basicGet({ queue: `${queue}.dlq` });
          if (message === undefined) break;
          const { id, body } = opened(message);
          if (ids && !ids.includes(id)) continue;
          await send(queue, body ?? {}, { id, tries: 0, delayMs: 0 });
          channel.basicAck({ deliveryTag: message.deliveryTag });
          moved += 1;
        }
        return moved;
      } finally {
        await channel.close();
      }
    },

    async ping() {
      if (!connection.ready)
        throw new Unavailable(
          "queue_unavailable",
          "RabbitMQ does not answer. Try again in a moment.",
        );
    },

    async [Symbol.asyncDispose]() {
      await Promise.all([...consumers.keys()].map((close) => close()));
      await relay?.stop();
      await publisher.close();
      await connection.close();
    },
  };
}

/** Looking at a dead letter hands it out and back; no number of looks may lose it. */
const DEAD_ARGUMENTS = { "x-queue-type": "quorum" as const, "x-delivery-limit": 1_000_000 };

function workArguments(queue: string) {
  return {
    "x-queue-type": "quorum" as const,
    "x-delivery-limit": DELIVERY_LIMIT,
    "x-dead-letter-exchange": "",
    "x-dead-letter-routing-key": `${queue}.dlq`,
    "x-dead-letter-strategy": "at-least-once",
    "x-overflow": "reject-publish" as const,
  };
}

function waitArguments(queue: string, ms: number) {
  return {
    "x-queue-type": "quorum" as const,
    "x-message-ttl": ms,
    "x-dead-letter-exchange": "",
    "x-dead-letter-routing-key": queue,
    "x-dead-letter-strategy": "at-least-once",
    "x-overflow": "reject-publish" as const,
  };
}

/** Waits are rounded up to powers of two, so that there are few queues. */
function waitStep(ms: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(32, ms)));
}

function opened(message: {
  messageId?: string;
  headers?: Record<string, unknown>;
  body?: unknown;
}) {
  const { body, headers = {} } = message;
  const counted = (name: string) => (typeof headers[name] === "number" ? headers[name] : 0);
  const known = typeof body === "object" && body !== null && "data" in body;
  return {
    id: message.messageId ?? uuidv7(),
    attempt: counted("x-tries") + counted("x-delivery-count") + 1,
    body: known ? body : undefined,
  };
}

function deadLetterOf(message: {
  messageId?: string;
  headers?: Record<string, unknown>;
  body?: unknown;
  timestamp?: number;
}): DeadLetter {
  const { id, body } = opened(message);
  return {
    id,
    data: body?.data ?? null,
    error: String(message.headers?.["x-error"] ?? "its workers ended without a word"),
    tries: Number(message.headers?.["x-tries"] ?? DELIVERY_LIMIT),
    diedAt: new Date((message.timestamp ?? Date.now() / 1000) * 1000).toISOString(),
  };
}

interface OutboxRow {
  position: string;
  queue: string;
  id: string;
  pattern: string;
  data: unknown;
  delayMs: number;
}

/**
 * Sends what transactions left in the outbox; a row goes only after the broker has confirmed its
 * message.
 */
function startRelay(db: Database, log: Logger, send: (row: OutboxRow) => Promise<void>) {
  let running: Promise<void> | undefined;
  let again = false;
  const sweep = async () => {
    do {
      again = false;
      const rows =
        await db.query<OutboxRow>(sql`update queue.outbox o set due_at = now() + ${OUTBOX_LEASE_MS} * interval '1 millisecond'
        from (select position from queue.outbox where due_at <= now() order by position limit ${RELAYED} for update skip locked) due
        where o.position = due.position returning o.position, queue, id, pattern, data, delay_ms as "delayMs"`);
      if (rows.length === 0) continue;
      rows.sort((one, other) => Number(one.position) - Number(other.position));
      // handed over in order, confirmed together
      const sent = await Promise.allSettled(rows.map(send));
      const positions = (status: "fulfilled" | "rejected") =>
        rows.filter((_, index) => sent[index]?.status === status).map(({ position }) => position);
      await db.query(
        sql`delete from queue.outbox where position = any(${positions("fulfilled")}::bigint[])`,
      );
      const failed = sent.find((one) => one.status === "rejected");
      if (failed) {
        // the next sweep looks at them at once
        await db.query(
          sql`update queue.outbox set due_at = now() where position = any(${positions("rejected")}::bigint[])`,
        );
        throw failed.reason;
      }
      again ||= rows.length === RELAYED;
    } while (again);
  };
  // asked from within somebody's transaction, it must not run in it
  const outside = AsyncLocalStorage.snapshot();
  const run = () => {
    again = true;
    running ??= outside(sweep)
      .catch((error: unknown) => log.warn({ err: error }, "messages wait in the outbox"))
      .finally(() => (running = undefined));
  };
  const timer = setInterval(run, SWEEP_MS).unref();
  return {
    /** After the commit, which comes in a moment. */
    soon: () => void setTimeout(run, 20).unref(),
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

async function reachable<T>(work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), PUBLISH_TIMEOUT);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    throw new Unavailable(
      "queue_unavailable",
      "The message queue does not answer. Try again in a moment.",
      5_000,
      {
        cause: error,
      },
    );
  } finally {
    clearTimeout(timer);
  }
}

function once(
  done: Map<string, Promise<void>>,
  key: string,
  work: () => Promise<void>,
): Promise<void> {
  const running = done.get(key) ?? work();
  done.set(key, running);
  running.catch(() => done.delete(key));
  return running;
}
