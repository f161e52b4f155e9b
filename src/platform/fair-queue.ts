import { ApiError, shuttingDown } from "./http/errors.ts";

export interface FairQueue {
  /**
   * Waits for a free place.
   * @returns a function that frees it; call it once.
   * @throws what the limits say; ApiError 499.
   */
  enter(userId: string | undefined, options?: EnterOptions): Promise<() => void>;
  state(): { running: number; waiting: number };
  /** Refuses all waiting and later callers. */
  close(): void;
}

export interface EnterOptions {
  signal?: AbortSignal | undefined;
  /** Work that something else bounds waits in turn, however long it takes. */
  isBackground?: boolean | undefined;
}

export interface QueueLimits {
  /** How many callers may be inside. */
  size: number;
  maxWaiting: number;
  /** Callers of one user, inside or waiting. */
  maxPerUser: number;
  /** Callers of one user inside. Default, and at most: all but one. */
  maxInsidePerUser?: number;
  maxWaitMs: number;
  /** The error of a caller beyond `maxWaiting`, if no user waits more often, or `maxWaitMs`. */
  busy: () => ApiError;
  /** The error of a caller beyond `maxPerUser`, which is `count`. */
  tooMany: (count: number) => ApiError;
}

interface Turns {
  running: number;
  waiting: Set<Waiter>;
}

interface Waiter {
  isBackground: boolean;
  start(): void;
  fail(reason: ApiError): void;
}

/** Users take turns. While there are two places or more, one user never holds all of them. */
export function createFairQueue(limits: QueueLimits): FairQueue {
  return new TurnQueue(limits);
}

class TurnQueue implements FairQueue {
  readonly #limits: QueueLimits;
  readonly #maxRunningPerUser: number;
  /** By user, the next one first. Callers without a user count as one user without a limit. */
  readonly #users = new Map<string | undefined, Turns>();
  #running = 0;
  #waiting = 0;
  #closed = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
    const { size, maxInsidePerUser = Infinity } = limits;
    this.#maxRunningPerUser = Math.max(1, Math.min(size - 1, maxInsidePerUser));
  }

  async enter(
    userId: string | undefined,
    { signal, isBackground = false }: EnterOptions = {},
  ): Promise<() => void> {
    if (signal?.aborted) throw cancelled();
    const turns = this.#turnsOf(userId);
    const isFree = this.#running < this.#limits.size && !this.#isFull(userId, turns);
    if (isFree && !this.#closed) return this.#start(userId, turns);
    try {
      this.#requirePlace(userId, turns, isBackground);
    } catch (error) {
      this.#forgetIdle(userId, turns);
      throw error;
    }
    return this.#wait(userId, turns, { signal, isBackground });
  }

  state() {
    return { running: this.#running, waiting: this.#waiting };
  }

  close(): void {
    this.#closed = true;
    for (const { waiting } of this.#users.values())
      for (const waiter of waiting) waiter.fail(shuttingDown());
  }

  #isFull(userId: string | undefined, turns: Turns): boolean {
    return userId !== undefined && turns.running >= this.#maxRunningPerUser;
  }

  #turnsOf(userId: string | undefined): Turns {
    const turns = this.#users.get(userId) ?? { running: 0, waiting: new Set() };
    this.#users.set(userId, turns);
    return turns;
  }

  #forgetIdle(userId: string | undefined, turns: Turns): void {
    if (turns.running === 0 && turns.waiting.size === 0) this.#users.delete(userId);
  }

  /** Moves a user to the end, so that others come first. */
  #moveToEnd(userId: string | undefined, turns: Turns): void {
    this.#users.delete(userId);
    this.#users.set(userId, turns);
  }

  #start(userId: string | undefined, turns: Turns): () => void {
    this.#running += 1;
    turns.running += 1;
    this.#moveToEnd(userId, turns);
    return () => {
      this.#running -= 1;
      turns.running -= 1;
      this.#moveToEnd(userId, turns);
      this.#forgetIdle(userId, turns);
      this.#startNext();
    };
  }

  #startNext(): void {
    for (const [userId, turns] of this.#users) {
      if (this.#running >= this.#limits.size) return;
      const [next] = turns.waiting;
      if (next && !this.#isFull(userId, turns)) next.start();
    }
  }

  /** Refuses a caller beyond the limits, or the last one of the user who waits most often. */
  #requirePlace(userId: string | undefined, turns: Turns, isBackground: boolean): void {
    if (this.#closed) throw shuttingDown();
    if (isBackground) return;
    const count = turns.running + turns.waiting.size;
    if (userId !== undefined && count >= this.#limits.maxPerUser)
      throw this.#limits.tooMany(count);
    if (this.#waiting < this.#limits.maxWaiting) return;
    const longest = [...this.#users.values()].reduce((one, other) =>
      other.waiting.size > one.waiting.size ? other : one,
    );
    const last = [...longest.waiting].findLast((waiter) => !waiter.isBackground);
    if (!last || longest.waiting.size <= turns.waiting.size + 1) throw this.#limits.busy();
    last.fail(this.#limits.busy());
  }

  #wait(
    userId: string | undefined,
    turns: Turns,
    { signal, isBackground }: { signal: AbortSignal | undefined; isBackground: boolean },
  ) {
    return new Promise<() => void>((resolve, reject) => {
      const leave = () => {
        turns.waiting.delete(waiter);
        this.#waiting -= 1;
        clearTimeout(late);
        signal?.removeEventListener("abort", cancel);
      };
      const waiter: Waiter = {
        isBackground,
        start: () => {
          leave();
          resolve(this.#start(userId, turns));
        },
        fail: (reason) => {
          leave();
          this.#forgetIdle(userId, turns);
          reject(reason);
        },
      };
      const cancel = () => waiter.fail(cancelled());
      const late = isBackground
        ? undefined
        : setTimeout(
            () => waiter.fail(this.#limits.busy()),
            this.#limits.maxWaitMs,
          ).unref();
      signal?.addEventListener("abort", cancel, { once: true });
      turns.waiting.add(waiter);
      this.#waiting += 1;
    });
  }
}

export function cancelled(): ApiError {
  return new ApiError(499, "request_cancelled", "The request was cancelled.");
}
