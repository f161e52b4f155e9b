import { randomUUID } from "node:crypto";
import { createFairQueue } from "../../platform/fair-queue.ts";
import type { Language } from "./contract.ts";
import { MAX_SESSIONS_PER_USER } from "./contract-limits.ts";
import { sandboxBusy, tooManySessions } from "./sandbox-errors.ts";
import type { SessionProcess } from "./session-process.ts";

/** An interpreter and what it has in its folder. */
export interface Session {
  id: string;
  /** The one that its first caller had before. */
  previous: string | undefined;
  process: SessionProcess;
  /** The versions of the files that it was given or that it wrote, by name. */
  versions: Map<string, string>;
}

interface Entry {
  userId: string;
  /** Calls that run or wait, one after the other. */
  calls: number;
  isRunning: boolean;
  last: Promise<unknown>;
  session: Session | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** Whose a session is: calls of the same owner share its variables. */
export interface Owner {
  userId: string;
  conversationId: string;
  language: Language;
}

interface Caller extends Owner {
  /** The session of the call before, maybe of another process. */
  previousSession?: string | undefined;
}

export interface Sessions extends AsyncDisposable {
  /**
   * Uses a session, which is started if there is none, or only one that is older than the previous
   * one: its variables are not those of the call before. Calls of one session take turns.
   * @throws ApiError `too_many_code_sessions`, `sandbox_busy`, `sandbox_unavailable`; 499.
   */
  use<Result>(
    caller: Caller,
    signal: AbortSignal,
    work: (session: Session, isNew: boolean) => Promise<Result>,
  ): Promise<Result>;
  state(): { sessions: number; running: number; waiting: number };
}

const MAX_WAITING = 200;
const MAX_WAITING_PER_USER = 8;
const MAX_WAIT_MS = 120_000;

/**
 * The sessions of this process. A user has two at most, and one that is idle ends when another
 * needs its place: its files are stored, so it comes back without its variables.
 */
export function createSessions({
  start,
  size,
  startsAtOnce,
  idleMs,
}: {
  /** Ends what it has begun when the signal aborts. */
  start: (language: Language, signal: AbortSignal) => Promise<SessionProcess>;
  /** Also how many calls run at once: the system shares the processors, short calls first. */
  size: number;
  /** A start is work of one processor: more at once would all end as late as the last of them. */
  startsAtOnce: number;
  idleMs: number;
}): Sessions {
  const entries = new Map<string, Entry>();
  const turns = createFairQueue({
    size,
    maxWaiting: MAX_WAITING,
    maxPerUser: MAX_WAITING_PER_USER,
    maxWaitMs: MAX_WAIT_MS,
    busy: sandboxBusy,
    tooMany: tooManySessions,
  });
  const starts = createFairQueue({
    size: startsAtOnce,
    // the turns above bound it
    maxWaiting: size,
    maxPerUser: size,
    maxWaitMs: MAX_WAIT_MS,
    busy: sandboxBusy,
    tooMany: tooManySessions,
  });

  async function end(key: string, entry: Entry): Promise<void> {
    clearTimeout(entry.idle);
    if (entries.get(key) === entry) entries.delete(key);
    await entry.session?.process.end();
  }

  const endIdle = async (isCandidate: (entry: Entry) => boolean): Promise<boolean> => {
    // the map has them in the order of their last use
    for (const [key, entry] of entries)
      if (entry.calls === 0 && isCandidate(entry)) {
        await end(key, entry);
        return true;
      }
    return false;
  };

  async function enter(key: string, userId: string): Promise<Entry> {
    let entry = entries.get(key);
    if (!entry) {
      const own = [...entries.values()].filter((one) => one.userId === userId);
      const isFull = own.length >= MAX_SESSIONS_PER_USER;
      if (isFull && !own.some(({ calls }) => calls === 0)) throw tooManySessions();
      entry = newEntry(userId);
      if (isFull) entry.last = endIdle((one) => one.userId === userId);
    }
    entries.delete(key);
    entries.set(key, entry);
    clearTimeout(entry.idle);
    entry.calls += 1;
    return entry;
  }

  /** Ends the session that was not used for the longest time where there are too many. */
  async function makeRoom(): Promise<void> {
    const isLive = ({ session }: Entry) => session !== undefined && !session.process.ended;
    // the caller's is among those that run
    const taken = [...entries.values()].filter((one) => isLive(one) || one.isRunning);
    if (taken.length <= size) return;
    if (await endIdle(isLive)) return;
    // one whose next call waits starts again from its files
    const waiting = [...entries.values()].find((one) => isLive(one) && !one.isRunning);
    await waiting?.session?.process.end();
  }

  async function open(
    { userId, language }: Owner,
    signal: AbortSignal,
  ): Promise<SessionProcess> {
    const release = await starts.enter(userId, { signal });
    try {
      await makeRoom();
      return await start(language, signal);
    } finally {
      release();
    }
  }

  function leave(key: string, entry: Entry): void {
    entry.calls -= 1;
    if (entry.calls > 0 || entries.get(key) !== entry) return;
    if (!entry.session || entry.session.process.ended) {
      entries.delete(key);
      return;
    }
    entry.idle = setTimeout(() => void end(key, entry), idleMs).unref();
  }

  return {
    async use(caller, signal, work) {
      const { userId, conversationId, language, previousSession: previous } = caller;
      const key = `${conversationId} ${language} ${userId}`;
      const entry = await enter(key, userId);
      const before = entry.last;
      const done = Promise.withResolvers<void>();
      entry.last = done.promise;
      try {
        await before;
        const release = await turns.enter(userId, { signal });
        try {
          entry.isRunning = true;
          if (isOlder(entry.session, previous)) await entry.session?.process.end();
          let begins = false;
          if (!entry.session || entry.session.process.ended) {
            const process = await open(caller, signal);
            entry.session = { id: randomUUID(), previous, process, versions: new Map() };
            begins = true;
          }
          const isOther = previous !== undefined && entry.session.id !== previous;
          return await work(entry.session, begins || isOther);
        } finally {
          entry.isRunning = false;
          release();
        }
      } finally {
        done.resolve();
        leave(key, entry);
      }
    },
    state: () => ({
      sessions: [...entries.values()].filter(({ session }) => session).length,
      ...turns.state(),
    }),
    async [Symbol.asyncDispose]() {
      turns.close();
      starts.close();
      await Promise.all([...entries].map(([key, entry]) => end(key, entry)));
    },
  };
}

/** One that began after the previous one is newer, begun by a call that nobody knows of yet. */
function isOlder(session: Session | undefined, previous: string | undefined): boolean {
  if (!session || previous === undefined) return false;
  return session.id !== previous && session.previous !== previous;
}

function newEntry(userId: string): Entry {
  return {
    userId,
    calls: 0,
    isRunning: false,
    last: Promise.resolve(),
    session: undefined,
    idle: undefined,
  };
}
