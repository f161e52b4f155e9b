import { setTimeout as sleep } from "node:timers/promises";
import sql, { join } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { coalesce } from "../db/batch.ts";
import { jsonb } from "../db/jsonb.ts";
import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import type { Logger } from "../telemetry/log.ts";
import { backoff } from "./backoff.ts";
import { finishWork, judge } from "./finish-work.ts";
import { watchDue } from "./watch-due.ts";
import { type ConsumeOptions, type DeadLetter, type Handler, Poison, type Queue } from "./queue.ts";

/** A taken message is another worker's again this long after its worker last said that it lives. */
const LEASE_MS = 30_000;
/** Messages that come one after another are taken, and when they are done removed, together. */
const GATHER_MS = 10;
const CHANNEL = "queue";
/** Messages that one statement stores or removes at most. */
const GROUP = 200;

interface NewMessage {
  queue: string;
  id: string;
  pattern: string;
  delayMs: number;
  data: unknown;
}

interface Taken {
  id: string;
  data: unknown;
  tries: number;
}

/** A durable queue in the service's own database: SKIP LOCKED, leases, backoff, dead letters. */
export async function openDatabaseQueue({
  db,
  log,
}: {
  db: Database;
  log: Logger;
}): Promise<Queue> {
  await migrate(db, { schema: "queue", folder: new URL("./migrations/", import.meta.url), log });
  const consumers = new Set<Consumer>();
  const wake = (queue: string) => {
    for (const consumer of consumers) if (consumer.queue === queue) consumer.wake();
  };
  const consumed = () => [...new Set([...consumers].map(({ queue }) => queue))];
  const bell = await db.listen(CHANNEL, wake);
  const watch = watchDue(db, consumed, wake);
  const insert = async (messages: NewMessage[]) => {
    await db.query(
      sql`with given as (
        select * from jsonb_to_recordset(${jsonb(messages)}) as g (queue text, id text, pattern text, "delayMs" int, data jsonb)),
      added as (
        insert into queue.messages (queue, id, data, pattern, due_at)
        select queue, id, coalesce(data, 'null'::jsonb), pattern, now() + "delayMs" * interval '1 millisecond' from given
        on conflict do nothing returning queue)
      select pg_notify(${CHANNEL}, queue) from (select distinct queue from added) queues`,
      { name: "queue-publish" },
    );
  };
  const insertInGroups = coalesce(GROUP, insert);
  return {
    async publish(queue, data, { id = uuidv7(), delayMs = 0, pattern = queue } = {}) {
      const message = { queue, id, pattern, delayMs, data };
      return db.inTransaction ? insert([message]) : insertInGroups(message);
    },
    async consume(queue, handler, options) {
      const consumer = startConsumer({ db, log, queue, handler, options });
      consumers.add(consumer);
      return {
        async [Symbol.asyncDispose]() {
          consumers.delete(consumer);
          await consumer.stop();
        },
      };
    },
    consumed,
    async deadLetters(queue, { limit, offset }) {
      const items =
        await db.query<DeadLetter>(sql`select id, data, error, tries, died_at as "diedAt" from queue.messages
        where queue = ${queue} and died_at is not null order by died_at limit ${limit} offset ${offset}`);
      const [count] = await db.query<{ total: number }>(
        sql`select count(*)::int as total from queue.messages where queue = ${queue} and died_at is not null`,
      );
      return {
        items: items.map((item) => ({ ...item, diedAt: new Date(item.diedAt).toISOString() })),
        total: count?.total ?? 0,
      };
    },
    async redrive(queue, ids) {
      const some =
        ids === undefined ? sql`true` : ids.length === 0 ? sql`false` : sql`id in (${join(ids)})`;
      const rows =
        await db.query(sql`update queue.messages set died_at = null, error = null, tries = 0, due_at = now()
        where queue = ${queue} and died_at is not null and ${some} returning id`);
      await db.notify(CHANNEL, queue);
      return rows.length;
    },
    ping: () => db.ping(),
    async [Symbol.asyncDispose]() {
      await watch[Symbol.asyncDispose]();
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      consumers.clear();
      await bell[Symbol.asyncDispose]();
    },
  };
}

interface Consumer {
  queue: string;
  wake(): void;
  stop(): Promise<void>;
}

interface ConsumerOptions {
  db: Database;
  log: Logger;
  queue: string;
  handler: Handler;
  options: ConsumeOptions | undefined;
}

function startConsumer({ db, log, queue, handler, options }: ConsumerOptions): Consumer {
  const { prefetch = 8, tries: most = 5, backoffMs = 1_000, gatherMs = GATHER_MS } = options ?? {};
  const working = new Map<string, Promise<void>>();
  let stopping = false;
  const abandoned = new AbortController();
  const bell = createBell(gatherMs);

  const finish = coalesce<string>(
    GROUP,
    (ids) =>
      db.query(sql`delete from queue.messages where queue = ${queue} and id = any(${ids})`, {
        name: "queue-finish",
      }),
    { gatherMs },
  );
  const retry = (id: string, tries: number, error: string) =>
    db.query(sql`update queue.messages set error = ${error}, due_at = now() + ${backoff(tries, backoffMs)} * interval '1 millisecond'
      where queue = ${queue} and id = ${id}`);
  const bury = (id: string, error: string) =>
    db.query(
      sql`update queue.messages set error = ${error}, died_at = now() where queue = ${queue} and id = ${id}`,
    );

  /** @returns how its outcome is stored. */
  async function handle({ id, data, tries }: Taken): Promise<() => Promise<unknown>> {
    try {
      if (tries > most) throw new Poison("its worker ended at every try");
      await handler({ id, attempt: tries, data, signal: abandoned.signal });
      return () => finish(id);
    } catch (error) {
      const { reason, last } = judge(error, tries, most);
      log[last ? "error" : "warn"](
        { err: error, queue, id, tries },
        last ? "a message went to the dead letters" : "a message will be tried again",
      );
      return () => (last ? bury(id, reason) : retry(id, tries, reason));
    }
  }

  async function work(message: Taken): Promise<void> {
    const store = await handle(message);
    // a handler that did its work must not do it again because the database was away for a moment;
    // its lease is renewed meanwhile
    for (let wait = 200; ; wait *= 2) {
      try {
        await store();
        break;
      } catch (error) {
        log.warn(
          { err: error, queue, id: message.id },
          "the outcome of a message could not be stored",
        );
        if (wait > 10_000 || abandoned.signal.aborted) break;
        await sleep(wait, undefined, { ref: false });
      }
    }
    const full = working.size >= prefetch;
    working.delete(message.id);
    if (full) bell.ring();
  }

  async function takeDue(limit: number): Promise<Taken[]> {
    return db.query<Taken>(
      sql`update queue.messages m set tries = m.tries + 1, due_at = now() + ${LEASE_MS} * interval '1 millisecond'
      from (select id from queue.messages where queue = ${queue} and died_at is null and due_at <= now()
            order by due_at limit ${limit} for update skip locked) due
      where m.queue = ${queue} and m.id = due.id returning m.id, m.data, m.tries`,
      { name: "queue-take" },
    );
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      const room = prefetch - working.size;
      const taken = room > 0 ? await takeDue(room).catch(() => []) : [];
      for (const message of taken)
        if (!working.has(message.id)) working.set(message.id, work(message));
      if (taken.length > 0 && taken.length === room) continue;
      await bell.rung();
    }
  }

  const heartbeat = setInterval(() => {
    if (working.size === 0) return;
    const held = sql`update queue.messages set due_at = now() + ${LEASE_MS} * interval '1 millisecond'
      where queue = ${queue} and died_at is null and id in (${join([...working.keys()])})`;
    db.query(held).catch((error: unknown) =>
      log.warn({ err: error, queue }, "a lease could not be renewed"),
    );
  }, LEASE_MS / 3).unref();

  const running = loop();
  return {
    queue,
    wake: () => bell.ring(),
    async stop() {
      stopping = true;
      bell.ring();
      await running;
      await finishWork(Promise.all(working.values()), abandoned);
      clearInterval(heartbeat);
    },
  };
}

/** Wakes one who waits, or the next one who will: no ring is lost. */
function createBell(gatherMs: number) {
  let rings = false;
  let wake = () => {};
  return {
    ring() {
      rings = true;
      wake();
    },
    /** Until it rings, and a moment longer, for what rings soon after. */
    async rung(): Promise<void> {
      if (!rings) await new Promise<void>((resolve) => (wake = resolve));
      await sleep(gatherMs, undefined, { ref: false });
      rings = false;
    },
  };
}
