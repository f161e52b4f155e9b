import sql from "sql-template-tag";
import { deliver } from "../../../../platform/batches.ts";
import type { Cache } from "../../../../platform/cache/cache.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { ApiError, Forbidden, TooManyRequests } from "../../../../platform/http/errors.ts";
import { isHeld, renewRows } from "../../../../platform/lease/row-lease.ts";
import type { Logger } from "../../../../platform/telemetry/log.ts";
import { LOG_END, logOf } from "./follow-response.ts";
import { RESPONSE_LEASE, responseKey } from "./store.ts";

/** Runs responses whose client does not wait for them. */
export interface BackgroundResponses extends AsyncDisposable {
  /**
   * Admits one more response of a user. @returns what ends it, and starts it once it is stored.
   * @throws TooManyRequests `too_many_background_responses`.
   */
  begin(userId: string, id: string): Promise<BackgroundRun>;
  /** Ends a response on whichever replica it runs. */
  stop(id: string): Promise<void>;
}

export interface BackgroundRun {
  signal: AbortSignal;
  /** Keeps the events of the response for those who follow it; the last ones are stored first. */
  start(events: AsyncIterable<string[]>): void;
  /** For one that cannot begin. */
  leave(): void;
}

interface Deps {
  db: Database;
  cache: Cache;
  log: Logger;
  /** @throws Forbidden for a user who may have no answers any more. */
  checkUser: (userId: string) => Promise<unknown>;
  /** Aborts when the process ends. */
  ending: AbortSignal;
}

/** Of one user, on all replicas. */
const MAX_RUNNING_OF_USER = 10;
const MAX_RUNNING = 200;
const CHECK_INTERVAL_MS = 5_000;
/** Events can be followed this long after the last one. */
const LOG_TTL_MS = 5 * 60_000;
/** Beyond it nobody can follow the events: the response is there when it has ended. */
const MAX_LOG_CHARACTERS = 8_000_000;
const STOP_CHANNEL = "stop-responses";
/** Why a signal aborts when somebody cancels the response. */
const CANCELLED = "cancelled by the user";

export async function createBackgroundResponses(deps: Deps): Promise<BackgroundResponses> {
  const { db, cache, ending } = deps;
  const running = new Map<string, { stop: AbortController; ended: Promise<void> }>();
  /** The users of those that are not stored yet, by response. */
  const beginning = new Map<string, string>();
  const subscription = await cache.subscribe(STOP_CHANNEL, (id) =>
    running.get(id)?.stop.abort(CANCELLED),
  );
  return {
    async begin(userId, id) {
      if (running.size + beginning.size >= MAX_RUNNING) throw tooMany();
      beginning.set(id, userId);
      // requests at the same time see each other here alone
      const own = [...beginning.values()].filter((one) => one === userId).length;
      try {
        if ((await countRunning(db, userId)) + own > MAX_RUNNING_OF_USER) throw tooMany();
      } catch (error) {
        beginning.delete(id);
        throw error;
      }
      const stop = new AbortController();
      running.set(id, { stop, ended: Promise.resolve() });
      return {
        signal: AbortSignal.any([stop.signal, ending]),
        start(events) {
          beginning.delete(id);
          const stopChecks = keepLease(deps, { userId, id, stop });
          const ended = record(deps, id, events).finally(() => {
            stopChecks();
            running.delete(id);
          });
          running.set(id, { stop, ended });
        },
        leave() {
          beginning.delete(id);
          running.delete(id);
        },
      };
    },
    stop: (id) => cache.publish(STOP_CHANNEL, id),
    async [Symbol.asyncDispose]() {
      await subscription[Symbol.asyncDispose]();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

async function countRunning(db: Database, userId: string): Promise<number> {
  const [found] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from core.responses
    where user_id = ${userId} and ${isHeld(RESPONSE_LEASE.until)}`);
  return found?.count ?? 0;
}

/** Says that a response still runs, and ends it when it was deleted or its user may have none. */
function keepLease(
  { db, checkUser, log }: Deps,
  { userId, id, stop }: { userId: string; id: string; stop: AbortController },
): () => void {
  let isChecking = false;
  const check = async () => {
    try {
      const renewed = await renewRows(db, RESPONSE_LEASE, {
        held: [{ id: responseKey(id) }],
        fields: sql`id uuid`,
        // also one whose renewal was late: no other process takes it over
        match: sql`claimed.id = held.id and claimed.running_until is not null`,
      });
      if (renewed.size === 0) stop.abort(CANCELLED);
      await checkUser(userId);
    } catch (error) {
      // while nobody can say it, the response goes on: it has limits of its own
      if (error instanceof Forbidden) stop.abort(error);
      else log.debug({ err: error, id }, "a response in the background is not checked");
    }
  };
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void check().finally(() => {
      isChecking = false;
    });
  }, CHECK_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** Appends the events to the log of the response. A log that may lack some is not continued. */
async function record(
  { cache, log }: Deps,
  id: string,
  events: AsyncIterable<string[]>,
): Promise<void> {
  const name = logOf(id);
  let begins = true;
  let isComplete = true;
  let left = MAX_LOG_CHARACTERS;
  const append = async (lines: string[]) => {
    if (!isComplete || lines.length === 0) return;
    try {
      isComplete = await cache.append(name, lines, LOG_TTL_MS, { begins });
      begins = false;
      await cache.publish(name, "");
    } catch (error) {
      isComplete = false;
      log.warn({ err: error, id }, "the cache does not take the events of a response");
    }
  };
  try {
    await deliver(events, async (lines) => {
      left -= lines.reduce((sum, line) => sum + line.length, 0);
      if (left < 0) isComplete = false;
      await append(lines);
    });
  } catch (error) {
    // what failed is stored: it was cancelled, or is a fault of ours
    if (!(error instanceof ApiError) && error !== CANCELLED)
      log.warn({ err: error, id }, "a response in the background failed");
  }
  await append([LOG_END]);
}

function tooMany(): TooManyRequests {
  return new TooManyRequests(
    "too_many_background_responses",
    `At most ${MAX_RUNNING_OF_USER} responses of yours are made in the background at once. Wait for ` +
      "one to end, or cancel one.",
    CHECK_INTERVAL_MS,
    { params: { max: MAX_RUNNING_OF_USER } },
  );
}
