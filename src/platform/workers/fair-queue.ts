import { ApiError, shuttingDown, TooManyRequests, Unavailable } from "../http/errors.ts";

export interface FairQueue {
  /**
   * Waits for a free place.
   * @returns a function that frees it; call it once.
   * @throws TooManyRequests `too_many_tasks`; Unavailable `workers_busy`; ApiError 499.
   */
  enter(userId: string | undefined, signal?: AbortSignal): Promise<() => void>;
  state(): { running: number; waiting: number };
  /** Refuses all waiting and later callers. */
  close(): void;
}

export interface QueueLimits {
  /** How many callers may be inside. */
  size: number;
  maxWaiting: number;
  /** Callers of one user, inside or waiting. */
  maxPerUser: number;
  maxWaitMs: number;
}

interface Turns {
  running: number;
  waiting: Set<Waiter>;
}

interface Waiter {
  start(): void;
  fail(reason: ApiError): void;
}

const RETRY_MS = 5_000;

/** Users take turns. While there are two places or more, one user never holds all of them. */
export function createFairQueue(limits: QueueLimits): FairQueue {
  const { size, maxWaiting, maxPerUser, maxWaitMs } = limits;
  const maxRunningPerUser = Math.max(1, size - 1);
  // by user, the next one first; callers without a user count as one user without a limit
  const users = new Map<string | undefined, Turns>();
  let running = 0;
  let waiting = 0;
  let closed = false;

  const isFull = (userId: string | undefined, turns: Turns) =>
    userId !== undefined && turns.running >= maxRunningPerUser;

  function turnsOf(userId: string | undefined): Turns {
    const turns = users.get(userId) ?? { running: 0, waiting: new Set() };
    users.set(userId, turns);
    return turns;
  }

  function forget(userId: string | undefined, turns: Turns): void {
    if (turns.running === 0 && turns.waiting.size === 0) users.delete(userId);
  }

  function letOthersFirst(userId: string | undefined, turns: Turns): void {
    users.delete(userId);
    users.set(userId, turns);
  }

  function start(userId: string | undefined, turns: Turns): () => void {
    running += 1;
    turns.running += 1;
    letOthersFirst(userId, turns);
    return () => {
      running -= 1;
      turns.running -= 1;
      letOthersFirst(userId, turns);
      forget(userId, turns);
      startNext();
    };
  }

  function startNext(): void {
    for (const [userId, turns] of users) {
      if (running >= size) return;
      const [next] = turns.waiting;
      if (next && !isFull(userId, turns)) next.start();
    }
  }

  function refuse(userId: string | undefined, turns: Turns): void {
    if (closed) throw shuttingDown();
    const count = turns.running + turns.waiting.size;
    if (userId !== undefined && count >= maxPerUser)
      throw new TooManyRequests(
        "too_many_tasks",
        `You have ${count} exports or comparisons at once. Wait until one has ended.`,
        RETRY_MS,
      );
    if (waiting >= maxWaiting) throw busy();
  }

  function wait(userId: string | undefined, turns: Turns, signal: AbortSignal | undefined) {
    return new Promise<() => void>((resolve, reject) => {
      const leave = () => {
        turns.waiting.delete(waiter);
        waiting -= 1;
        clearTimeout(late);
        signal?.removeEventListener("abort", cancel);
      };
      const waiter: Waiter = {
        start() {
          leave();
          resolve(start(userId, turns));
        },
        fail(reason) {
          leave();
          forget(userId, turns);
          reject(reason);
        },
      };
      const cancel = () => waiter.fail(cancelled());
      const late = setTimeout(() => waiter.fail(busy()), maxWaitMs).unref();
      signal?.addEventListener("abort", cancel, { once: true });
      turns.waiting.add(waiter);
      waiting += 1;
    });
  }

  return {
    async enter(userId, signal) {
      if (signal?.aborted) throw cancelled();
      const turns = turnsOf(userId);
      if (running < size && !isFull(userId, turns) && !closed) return start(userId, turns);
      try {
        refuse(userId, turns);
      } catch (error) {
        forget(userId, turns);
        throw error;
      }
      return wait(userId, turns, signal);
    },
    state: () => ({ running, waiting }),
    close() {
      closed = true;
      for (const { waiting: all } of users.values())
        for (const waiter of all) waiter.fail(shuttingDown());
    },
  };
}

function busy(): Unavailable {
  return new Unavailable(
    "workers_busy",
    "Too many exports and comparisons wait for their turn. Try again in a moment.",
    RETRY_MS,
  );
}

export function cancelled(): ApiError {
  return new ApiError(499, "request_cancelled", "The request was cancelled.");
}
