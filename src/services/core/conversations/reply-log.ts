import type { Cache } from "../../../platform/cache/cache.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { openNews } from "../../../platform/news.ts";
import { encodeEvent } from "../../../platform/http/stream.ts";
import type { ConversationEvent } from "./contract.ts";

/** The events of one run of a reply, which any client may read from any index, on any replica, while it is made and a while after. */
const KEPT_MS = 5 * 60_000;
/** A reader looks by itself this often, in case a wake-up was lost; and whether he may still read. */
const LOOK_MS = 1_500;

/** What a reader is handed at once: a slow one of a long reply must not hold all of it. */
const MOST_READ = 64;

const logOf = (messageId: string, run: number) => `reply:${messageId}:${run}`;

/** Appends events in their wire form; neighbouring pieces of text become one. */
export async function appendToReply(
  cache: Cache,
  messageId: string,
  run: number,
  events: readonly ConversationEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const log = logOf(messageId, run);
  await cache.append(log, joined(events).map(encodeEvent), KEPT_MS);
  await cache.publish(log, "");
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
 * The events of a reply from an index on, in wire form with their indexes as ids, until the last. Pulled by the reader: a slow one
 * holds nothing. `undefined`: there is no log (any more).
 * @param allowed asked now and then; throws NotFound when the reader may not read it any more, which ends it with an error.
 */
export async function followReply(
  cache: Cache,
  { id, run }: { id: string; run: number },
  from: number,
  signal: AbortSignal,
  allowed: () => Promise<void> = async () => {},
): Promise<AsyncGenerator<string[]> | undefined> {
  const log = logOf(id, run);
  if ((await cache.read(log, from, 1)) === null) return undefined;
  return follow(cache, log, from, signal, allowed);
}

async function* follow(
  cache: Cache,
  log: string,
  from: number,
  signal: AbortSignal,
  allowed: () => Promise<void>,
): AsyncGenerator<string[]> {
  let index = from;
  let askedAt = Date.now();
  await using appended = await openNews((tell) => cache.subscribe(log, tell), { everyMs: LOOK_MS, signal });
  while (!signal.aborted) {
    if (Date.now() - askedAt >= LOOK_MS) {
      const refusal = await refusalOf(allowed);
      if (refusal) {
        const last: ConversationEvent = { type: "error", error: refusal.message, code: refusal.code };
        return yield [encodeEvent(last)];
      }
      askedAt = Date.now();
    }
    const entries = await cache.read(log, index, MOST_READ);
    if (entries === null) return;
    if (entries.length === 0) {
      await appended.next();
      continue;
    }
    const first = index;
    index += entries.length;
    // an entry apart from its id, so that all readers share one copy of a long one
    yield entries.flatMap((entry, offset) => [`id: ${first + offset}\n`, entry]);
    if (isLast(entries.at(-1))) return;
  }
}

async function refusalOf(allowed: () => Promise<void>): Promise<NotFound | undefined> {
  try {
    await allowed();
    return undefined;
  } catch (error) {
    // what cannot be asked now is asked next time
    return error instanceof NotFound ? error : undefined;
  }
}

function isLast(entry: string | undefined): boolean {
  return entry !== undefined && (entry.startsWith("event: done\n") || entry.startsWith("event: error\n"));
}
