import type { Cache } from "../../../platform/cache/cache.ts";
import { encodeEvent } from "../../../platform/http/stream.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { ConversationEvent } from "./contract.ts";

/** A log outlives an event by this long, as while a tool runs for minutes. */
export const LOG_TTL_MS = 5 * 60_000;
/**
 * It outlives the last event by this long: who lost the connection is back by then. Later readers
 * get the reply as it was stored.
 */
const ENDED_LOG_TTL_MS = 60_000;

/** The name of the log of one segment of a reply, which any replica can read from any index. */
export function logName(messageId: string, segment: number): string {
  return `reply:${messageId}:${segment}`;
}

/** The events of one segment of a reply. */
export interface ReplyLog {
  /**
   * Publishes events in wire form; joins neighbouring pieces of text. Never throws. Returns a
   * promise where the log is in another process.
   */
  append(events: readonly ConversationEvent[]): Promise<void> | void;
}

/**
 * Begins the log of a segment. A log that the cache has lost, or that may lack events, is not
 * continued: its readers get the reply when it has ended.
 */
export function beginReplyLog(
  cache: Cache,
  messageId: string,
  segment: number,
  log: Logger,
): ReplyLog {
  const name = logName(messageId, segment);
  let begins = true;
  let isComplete = true;
  const { logs } = cache;
  const warn = () => log.warn({ messageId }, "the cache lost the events of a reply");
  return {
    append(events) {
      if (events.length === 0 || !isComplete) return undefined;
      const entries = joinText(events).map(encodeEvent);
      const ttlMs = hasEnded(events) ? ENDED_LOG_TTL_MS : LOG_TTL_MS;
      const options = { begins };
      begins = false;
      if (!logs) return appendApart(entries, ttlMs, options);
      isComplete = logs.append(name, entries, ttlMs, options);
      if (!isComplete) warn();
    },
  };

  async function appendApart(
    entries: string[],
    ttlMs: number,
    options: { begins: boolean },
  ): Promise<void> {
    try {
      isComplete = await cache.append(name, entries, ttlMs, options);
      if (isComplete) await cache.publish(name, "");
      else warn();
    } catch (error) {
      isComplete = false;
      log.warn({ err: error, messageId }, "the cache does not take the events of a reply");
    }
  }
}

function hasEnded(events: readonly ConversationEvent[]): boolean {
  const last = events.at(-1)?.type;
  return last === "done" || last === "error";
}

function joinText(events: readonly ConversationEvent[]): readonly ConversationEvent[] {
  if (events.length === 1) return events;
  const joined: ConversationEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (event.type === "text_delta" && last?.type === "text_delta")
      joined[joined.length - 1] = { type: "text_delta", delta: last.delta + event.delta };
    else joined.push(event);
  }
  return joined;
}
