import { setTimeout as sleep } from "node:timers/promises";
import { createBatcher } from "../db/batch.ts";
import type { Database } from "../db/database.ts";
import type { Logger } from "../telemetry/log.ts";
import { backoff } from "../backoff.ts";
import { finishWork, judgeFailure, workerEnded } from "./finish-work.ts";
import {
  buryMessage,
  removeMessages,
  RENEWAL_INTERVAL_MS,
  renewMessages,
  retryMessage,
  type TakenMessage,
  takeMessages,
} from "./message-store.ts";
import type { ConsumeOptions, Handler } from "./queue.ts";

const DEFAULT_GATHER_MS = 10;
const MAX_MESSAGES_PER_DELETE = 200;
const FIRST_STORE_DELAY_MS = 200;
const MAX_STORE_DELAY_MS = 10_000;

export interface DatabaseConsumer {
  queue: string;
  wake(): void;
  stop(): Promise<void>;
}

interface Options {
  db: Database;
  log: Logger;
  queue: string;
  handler: Handler;
  options: ConsumeOptions | undefined;
}

/** Takes due messages of one queue, as many as there is room for, whenever it is woken. */
export function startDatabaseConsumer(given: Options): DatabaseConsumer {
  const { db, log, queue, options = {} } = given;
  const { prefetch = 8, gatherMs = DEFAULT_GATHER_MS } = options;
  const working = new Map<string, { message: TakenMessage; ended: Promise<void> }>();
  const abandoned = new AbortController();
  const signal = createSignal(gatherMs);
  const handle = createHandler(given, abandoned.signal);
  let isStopping = false;

  async function work(message: TakenMessage): Promise<void> {
    await handle(message);
    const wasFull = working.size >= prefetch;
    working.delete(message.id);
    if (wasFull) signal.raise();
  }

  async function loop(): Promise<void> {
    while (!isStopping) {
      const room = prefetch - working.size;
      // while the database is unavailable, the next wake-up tries again
      const taken = room > 0 ? await takeMessages(db, queue, room).catch(() => []) : [];
      for (const message of taken)
        if (!working.has(message.id))
          working.set(message.id, { message, ended: work(message) });
      if (taken.length > 0 && taken.length === room) continue;
      await signal.raised();
    }
  }

  const renew = () => {
    const held = [...working.values()].map(({ message }) => message);
    if (held.length === 0) return;
    renewMessages(db, queue, held).catch((error: unknown) =>
      log.warn(
        { err: error, queue },
        "leases of messages could not be renewed; it is tried again",
      ),
    );
  };
  const renewals = setInterval(renew, RENEWAL_INTERVAL_MS).unref();
  const running = loop();
  return {
    queue,
    wake: () => signal.raise(),
    async stop() {
      isStopping = true;
      signal.raise();
      await running;
      const inProgress = [...working.values()].map(({ ended }) => ended);
      await finishWork(Promise.all(inProgress), abandoned);
      clearInterval(renewals);
    },
  };
}

/** Returns a function that handles one message and stores the outcome. */
function createHandler(
  { db, log, queue, handler, options = {} }: Options,
  abandoned: AbortSignal,
) {
  const {
    tries: maxAttempts = 5,
    backoffMs = 1_000,
    gatherMs = DEFAULT_GATHER_MS,
  } = options;
  const finish = createBatcher<string>(
    MAX_MESSAGES_PER_DELETE,
    (ids) => removeMessages(db, queue, ids),
    { gatherMs },
  );

  /** @returns a function that stores the outcome. */
  async function run(message: TakenMessage): Promise<() => Promise<void>> {
    const { id, data, tries } = message;
    try {
      if (tries > maxAttempts) throw workerEnded();
      await handler({ id, attempt: tries, data, isOwn: true, signal: abandoned });
      return () => finish(id);
    } catch (error) {
      const { failure, isLast } = judgeFailure(error, tries, maxAttempts);
      logFailure(log, { err: error, queue, id, tries }, isLast);
      if (isLast) return () => buryMessage(db, queue, message, failure);
      const delayMs = backoff(tries, backoffMs);
      return () => retryMessage(db, queue, message, { delayMs, failure });
    }
  }

  return async (message: TakenMessage): Promise<void> => {
    const store = await run(message);
    // the work is done: a short outage of the database must not repeat it. The lease is renewed
    for (let delayMs = FIRST_STORE_DELAY_MS; ; delayMs *= 2) {
      try {
        return await store();
      } catch (error) {
        const fields = { err: error, queue, id: message.id };
        log.warn(fields, "the outcome of a message could not be stored; it is tried again");
        if (delayMs > MAX_STORE_DELAY_MS || abandoned.aborted) return;
        await sleep(delayMs, undefined, { ref: false });
      }
    }
  };
}

/** Logs a failed attempt. Shared by both queues. */
export function logFailure(log: Logger, fields: object, isLast: boolean): void {
  if (isLast) log.error(fields, "a message failed and went to the dead letters");
  else log.warn(fields, "a message failed and will be tried again");
}

/** Wakes the waiting reader, or the next one that waits: no signal is lost. */
function createSignal(gatherMs: number) {
  let isRaised = false;
  let wake = () => {};
  return {
    raise() {
      isRaised = true;
      wake();
    },
    /** Resolves a moment after the signal, so that messages published together come together. */
    async raised(): Promise<void> {
      if (!isRaised) await new Promise<void>((resolve) => (wake = resolve));
      await sleep(gatherMs, undefined, { ref: false });
      isRaised = false;
    },
  };
}
