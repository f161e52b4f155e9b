import type { Emit } from "../../../platform/batches.ts";
import type { Cache } from "../../../platform/cache/cache.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { encodeEvent } from "../../../platform/http/stream.ts";
import { openSubscription } from "../../../platform/subscription.ts";
import { toErrorEvent } from "../../../platform/http/reported-error.ts";
import { logName } from "./publish-reply.ts";

/** A wake-up may be lost: the log and the access of the reader are checked this often. */
const POLL_INTERVAL_MS = 1_500;
/** A timer may be early by so much. */
const EARLY_MS = 50;
/** After so many empty reads, the process that runs the reply may be gone. */
const EMPTY_READS_BEFORE_CHECK = 2;
/**
 * The number of entries to read at once, so that a slow reader does not hold a whole long reply.
 */
const MAX_ENTRIES_PER_READ = 64;

/** The id of an event. A later segment of the reply, after a decision, starts its count at 0. */
const toEventId = (segment: number, index: number) =>
  segment === 1 ? String(index) : `${segment}-${index}`;

/** Returns the index at which a reader continues a segment, after the event with this id. */
export function resumeAt(lastEventId: string | null, segment: number): number {
  const [, of = "1", index] = /^(?:(\d{1,9})-)?(\d{1,9})$/.exec(lastEventId ?? "") ?? [];
  return index !== undefined && Number(of) === segment ? Number(index) + 1 : 0;
}

interface Following {
  messageId: string;
  segment: number;
  from: number;
  /** Called while no event arrives. */
  hasEnded: () => Promise<boolean>;
  /** Called regularly. Throws NotFound when the reader may not read the reply any more. */
  checkAccess: () => Promise<void>;
}

/**
 * Emits the events of a segment from an index on, in wire form with their ids. A slow reader makes
 * the server hold nothing: it has only its position in the log.
 * @returns whether the last event was among them; otherwise the log is gone, or lacks the end of a
 * reply that has ended.
 */
export async function followReply(
  cache: Cache,
  { messageId, segment, from, hasEnded, checkAccess }: Following,
  signal: AbortSignal,
  emit: Emit<string[]>,
): Promise<boolean> {
  const log = logName(messageId, segment);
  if (from > 0 && (await endsAt(cache, log, from - 1))) return true;
  const end = new EndDetector(hasEnded);
  const reader = new LogReader(cache, log, from, (entries, first) => {
    end.reset();
    return emit(withIds(entries, segment, first));
  });
  const subscribe = (wake: () => void) =>
    cache.subscribe(log, () => {
      if (!reader.readNow()) wake();
    });
  await using appended = await openSubscription(subscribe, {
    everyMs: POLL_INTERVAL_MS,
    signal,
  });
  let checkedAt = performance.now();
  while (!signal.aborted) {
    await reader.settled();
    if (reader.hasLast) return true;
    if (performance.now() - checkedAt >= POLL_INTERVAL_MS - EARLY_MS) {
      const refusal = await refusalOf(checkAccess);
      if (refusal) {
        await emit([refusal]);
        return true;
      }
      checkedAt = performance.now();
    }
    const read = await reader.read();
    if (read === null) return false;
    if (read > 0) continue;
    if (await end.isPassed()) return false;
    reader.readsNow = true;
    await appended.next();
    reader.readsNow = false;
  }
  return false;
}

/** Passes on what was appended to a log from a position on. */
class LogReader {
  readonly #cache: Cache;
  readonly #log: string;
  readonly #pass: (entries: string[], first: number) => Promise<void> | void;
  #position: number;
  #passing: Promise<void> | void = undefined;
  hasLast = false;
  /** Whether a local log is read in the call that appends to it. */
  readsNow = false;

  constructor(
    cache: Cache,
    log: string,
    from: number,
    pass: (entries: string[], first: number) => Promise<void> | void,
  ) {
    this.#cache = cache;
    this.#log = log;
    this.#position = from;
    this.#pass = pass;
  }

  /** Reads a local log. @returns whether that was all, and its reader goes on. */
  readNow(): boolean {
    const { logs } = this.#cache;
    if (!logs || !this.readsNow) return false;
    const entries = logs.read(this.#log, this.#position, MAX_ENTRIES_PER_READ) ?? [];
    try {
      this.#take(entries);
    } catch (error) {
      // one reader's failure does not concern who appends
      this.#passing = Promise.reject(error);
    }
    this.readsNow =
      !this.#passing && !this.hasLast && entries.length < MAX_ENTRIES_PER_READ;
    return this.readsNow;
  }

  /** @returns how many entries there were, or `null` where the log is gone. */
  async read(): Promise<number | null> {
    const { logs } = this.#cache;
    const entries = logs
      ? logs.read(this.#log, this.#position, MAX_ENTRIES_PER_READ)
      : await this.#cache
          .read(this.#log, this.#position, MAX_ENTRIES_PER_READ)
          .catch(() => []); // an unreachable cache has lost nothing yet
    if (entries === null) return null;
    this.#take(entries);
    return entries.length;
  }

  /** Resolves when the reader has taken what was passed on. */
  async settled(): Promise<void> {
    await this.#passing;
    this.#passing = undefined;
  }

  #take(given: string[]): void {
    if (given.length === 0) return;
    const first = this.#position;
    this.#position += given.length;
    // what a tool still appended behind the end belongs to nobody
    const end = given.findIndex((entry) => isLast(entry));
    this.hasLast = end >= 0;
    const entries = this.hasLast ? given.slice(0, end + 1) : given;
    this.#passing = this.#pass(entries, first);
  }
}

/** Detects that a reply has ended without its last event in the log. */
class EndDetector {
  readonly #hasEnded: () => Promise<boolean>;
  #emptyReads = 0;
  #endedAt = Infinity;

  constructor(hasEnded: () => Promise<boolean>) {
    this.#hasEnded = hasEnded;
  }

  reset(): void {
    this.#emptyReads = 0;
  }

  /**
   * Counts an empty read. The end is stored before its event is published, so that event gets some
   * more time.
   */
  async isPassed(): Promise<boolean> {
    this.#emptyReads += 1;
    if (performance.now() - this.#endedAt >= POLL_INTERVAL_MS) return true;
    const isCheckDue = this.#emptyReads % EMPTY_READS_BEFORE_CHECK === 0;
    if (
      this.#endedAt === Infinity &&
      isCheckDue &&
      (await this.#hasEnded().catch(() => false)) // a later check asks again
    )
      this.#endedAt = performance.now();
    return false;
  }
}

/** Entries stay apart from their ids, so that all readers share one copy of a long one. */
function withIds(entries: readonly string[], segment: number, first: number): string[] {
  const pieces: string[] = [];
  let index = first;
  // a loop: each word of a reply comes by here
  for (const entry of entries) {
    pieces.push(`id: ${toEventId(segment, index)}\n`, entry);
    index += 1;
  }
  return pieces;
}

/** The last event, in wire form, of a reader who may not read the reply any more. */
export async function refusalOf(
  checkAccess: Following["checkAccess"],
): Promise<string | undefined> {
  try {
    await checkAccess();
    return undefined;
  } catch (error) {
    // other failures: the next check decides
    if (!(error instanceof NotFound)) return undefined;
    return encodeEvent(toErrorEvent(error));
  }
}

/** A reader who has the last event gets nothing twice. */
async function endsAt(cache: Cache, log: string, index: number): Promise<boolean> {
  const entries = await cache.read(log, index, 1).catch(() => []);
  return isLast(entries?.[0]);
}

function isLast(entry: string | undefined): boolean {
  return (
    entry?.startsWith("event: done\n") === true ||
    entry?.startsWith("event: error\n") === true
  );
}
