import type { Cache } from "../../../platform/cache/cache.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { encodeEvent } from "../../../platform/http/stream.ts";
import { openSubscription } from "../../../platform/subscription.ts";
import { toErrorEvent } from "../../../platform/http/reported-error.ts";
import { logName } from "./publish-reply.ts";

/** A wake-up may be lost: the log and the access of the reader are checked this often. */
const POLL_INTERVAL_MS = 1_500;
/** After so many empty reads, the process that runs the reply may be gone. */
const EMPTY_READS_BEFORE_CHECK = 2;
/**
 * The number of entries to read at once, so that a slow reader does not hold a whole long reply.
 */
const MAX_ENTRIES_PER_READ = 64;

/** The id of an event. A later run of the reply, after a decision, starts its count at 0. */
const toEventId = (run: number, index: number) =>
  run === 1 ? String(index) : `${run}-${index}`;

/** Returns the index at which a reader continues a run, after the event with this id. */
export function resumeAt(lastEventId: string | null, run: number): number {
  const [, of = "1", index] = /^(?:(\d{1,9})-)?(\d{1,9})$/.exec(lastEventId ?? "") ?? [];
  return index !== undefined && Number(of) === run ? Number(index) + 1 : 0;
}

interface Following {
  messageId: string;
  run: number;
  from: number;
  /** Called while no event arrives. */
  hasEnded: () => Promise<boolean>;
  /** Called regularly. Throws NotFound when the reader may not read the reply any more. */
  checkAccess: () => Promise<void>;
}

/**
 * The events of a run from an index on, in wire form with their ids. The reader pulls them: a slow
 * one makes the server hold nothing.
 * @returns whether the last event was among them; otherwise the log is gone, or lacks the end of a
 * reply that has ended.
 */
export async function* followReply(
  cache: Cache,
  { messageId, run, from, hasEnded, checkAccess }: Following,
  signal: AbortSignal,
): AsyncGenerator<string[], boolean> {
  const log = logName(messageId, run);
  if (from > 0 && (await endsAt(cache, log, from - 1))) return true;
  await using appended = await openSubscription((wake) => cache.subscribe(log, wake), {
    everyMs: POLL_INTERVAL_MS,
    signal,
  });
  const end = new EndDetector(hasEnded);
  let index = from;
  let checkedAt = Date.now();
  while (!signal.aborted) {
    if (Date.now() - checkedAt >= POLL_INTERVAL_MS) {
      const refusal = await refusalOf(checkAccess);
      if (refusal) {
        yield [refusal];
        return true;
      }
      checkedAt = Date.now();
    }
    // an unreachable cache has lost nothing yet
    const entries = await cache.read(log, index, MAX_ENTRIES_PER_READ).catch(() => []);
    if (entries === null) return false;
    if (entries.length === 0) {
      if (await end.isPassed()) return false;
      await appended.next();
      continue;
    }
    end.reset();
    yield withIds(entries, run, index);
    index += entries.length;
    if (isLast(entries.at(-1))) return true;
  }
  return false;
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
    if (Date.now() - this.#endedAt >= POLL_INTERVAL_MS) return true;
    const isCheckDue = this.#emptyReads % EMPTY_READS_BEFORE_CHECK === 0;
    if (
      this.#endedAt === Infinity &&
      isCheckDue &&
      (await this.#hasEnded().catch(() => false))
    )
      this.#endedAt = Date.now();
    return false;
  }
}

/** Entries stay apart from their ids, so that all readers share one copy of a long one. */
function withIds(entries: readonly string[], run: number, first: number): string[] {
  return entries.flatMap((entry, offset) => [
    `id: ${toEventId(run, first + offset)}\n`,
    entry,
  ]);
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
