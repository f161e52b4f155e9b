import type { Cache } from "../../../platform/cache/cache.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { openSubscription } from "../../../platform/subscription.ts";
import { encodeEvent } from "../../../platform/http/stream.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { ConversationEvent } from "./contract.ts";

/**
 * The events of one run of a reply, which any client may read from any index, on any replica, while
 * it is made and a while after.
 */
const KEPT_MS = 5 * 60_000;
/**
 * A reader looks by itself this often, in case a wake-up was lost; and whether he may still read.
 */
const LOOK_MS = 1_500;
/**
 * After so many looks in vain it asks whether there is more to come: the process that makes the
 * reply may be gone.
 */
const LOOKS_BEFORE_ASKING = 2;

/** What a reader is handed at once: a slow one of a long reply must not hold all of it. */
const MAX_READ = 64;

const logOf = (messageId: string, run: number) => `reply:${messageId}:${run}`;

/** Takes down the events of one run. */
export interface ReplyLog {
  /**
   * In their wire form; neighbouring pieces of text become one. Never throws: see `beginReplyLog`.
   */
  append(events: readonly ConversationEvent[]): Promise<void>;
}

/**
 * Begins the log of a run. One that the cache lost, or that may lack something, is not gone on
 * with: its readers are given the reply when it has ended.
 */
export function beginReplyLog(cache: Cache, messageId: string, run: number, log: Logger): ReplyLog {
  const name = logOf(messageId, run);
  let begins = true;
  let whole = true;
  return {
    async append(events) {
      if (events.length === 0 || !whole) return;
      const entries = joined(events).map(encodeEvent);
      const first = begins;
      begins = false;
      try {
        whole = await cache.append(name, entries, KEPT_MS, { begins: first });
        if (whole) return await cache.publish(name, "");
        log.warn(
          { messageId },
          "the cache lost the events of a reply; its readers get it when it has ended",
        );
      } catch (error) {
        whole = false;
        log.warn(
          { err: error, messageId },
          "the cache does not take the events of a reply; its readers get it when it has ended",
        );
      }
    },
  };
}

function joined(events: readonly ConversationEvent[]): ConversationEvent[] {
  const result: ConversationEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (event.type === "text_delta" && last?.type === "text_delta")
      result[result.length - 1] = { type: "text_delta", delta: last.delta + event.delta };
    else result.push(event);
  }
  return result;
}

/**
 * The id of an event. A reply that went on after a decision has another run, whose events begin
 * anew.
 */
const idOf = (run: number, index: number) => (run === 1 ? String(index) : `${run}-${index}`);

/** From which event of a run to read on, for a reader who had the one of this id last. */
export function resumeAt(lastEventId: string | null, run: number): number {
  const [, of = "1", index] = /^(?:(\d{1,9})-)?(\d{1,9})$/.exec(lastEventId ?? "") ?? [];
  return index !== undefined && Number(of) === run ? Number(index) + 1 : 0;
}

interface Following {
  messageId: string;
  run: number;
  from: number;
  /** Asked while nothing comes. */
  hasEnded: () => Promise<boolean>;
  /**
   * Asked now and then; throws NotFound when the reader may not read it any more, which ends it
   * with an error.
   */
  allowed: () => Promise<void>;
}

/**
 * The events of a reply from an index on, in wire form with their indexes as ids. Pulled by the
 * reader: a slow one holds nothing.
 * @returns whether they came to the last; otherwise the log is gone, or lacks the rest of a reply
 * that has ended.
 */
export async function* followReply(
  cache: Cache,
  { messageId, run, from, hasEnded, allowed }: Following,
  signal: AbortSignal,
): AsyncGenerator<string[], boolean> {
  const log = logOf(messageId, run);
  let index = from;
  let askedAt = Date.now();
  let looks = 0;
  let endedAt = Infinity;
  // who had the last event gets nothing twice
  if (from > 0 && isLast((await cache.read(log, from - 1, 1).catch(() => []))?.[0])) return true;
  await using appended = await openSubscription((tell) => cache.subscribe(log, tell), {
    everyMs: LOOK_MS,
    signal,
  });
  while (!signal.aborted) {
    if (Date.now() - askedAt >= LOOK_MS) {
      const refusal = await refusalOf(allowed);
      if (refusal) {
        yield [refusal];
        return true;
      }
      askedAt = Date.now();
    }
    // a cache that is away has lost nothing yet
    const entries = await cache.read(log, index, MAX_READ).catch(() => []);
    if (entries === null) return false;
    if (entries.length === 0) {
      looks += 1;
      // the end is stored before it is told: what is on its way still comes
      if (Date.now() - endedAt >= LOOK_MS) return false;
      if (
        endedAt === Infinity &&
        looks % LOOKS_BEFORE_ASKING === 0 &&
        (await hasEnded().catch(() => false))
      )
        endedAt = Date.now();
      await appended.next();
      continue;
    }
    looks = 0;
    const first = index;
    index += entries.length;
    // an entry apart from its id, so that all readers share one copy of a long one
    yield entries.flatMap((entry, offset) => [`id: ${idOf(run, first + offset)}\n`, entry]);
    if (isLast(entries.at(-1))) return true;
  }
  return false;
}

/** The last event of a reader who may not read any more, in wire form. */
export async function refusalOf(allowed: Following["allowed"]): Promise<string | undefined> {
  try {
    await allowed();
    return undefined;
  } catch (error) {
    // what cannot be asked now is asked next time
    if (!(error instanceof NotFound)) return undefined;
    const last: ConversationEvent = { type: "error", error: error.message, code: error.code };
    return encodeEvent(last);
  }
}

function isLast(entry: string | undefined): boolean {
  return (
    entry !== undefined && (entry.startsWith("event: done\n") || entry.startsWith("event: error\n"))
  );
}
