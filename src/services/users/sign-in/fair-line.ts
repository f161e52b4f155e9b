import { Unavailable } from "../../../platform/http/errors.ts";

interface Limits {
  maxRunning: number;
  /** How many may wait under one key, and in all. */
  maxWaiting: { perKey: number; total: number };
}

const RETRY_AFTER_MS = 5_000;

/**
 * Runs work in turn: one at a time under a key, and the keys take turns, so that a key with much
 * work delays the others by one piece of it at most. What finds the line full is refused at once.
 */
export class FairLine {
  readonly #limits: Limits;
  /** The keys that wait, the next one first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #running = new Set<string>();
  #total = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** @throws Unavailable `sign_in_busy`. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#running.size >= this.#limits.maxRunning || this.#running.has(key))
      await this.#wait(key);
    else this.#running.add(key);
    try {
      return await work();
    } finally {
      this.#running.delete(key);
      this.#startNext();
    }
  }

  #wait(key: string): Promise<void> {
    const { perKey, total } = this.#limits.maxWaiting;
    const line = this.#waiting.get(key) ?? [];
    if (line.length >= perKey || this.#total >= total)
      throw new Unavailable(
        "sign_in_busy",
        "More people are signing in than this server can check. Try again in a moment.",
        RETRY_AFTER_MS,
      );
    const { promise, resolve } = Promise.withResolvers<void>();
    line.push(resolve);
    this.#waiting.set(key, line);
    this.#total += 1;
    return promise;
  }

  #startNext(): void {
    for (const [key, line] of this.#waiting) {
      if (this.#running.has(key)) continue;
      const start = line.shift();
      this.#waiting.delete(key);
      if (line.length > 0) this.#waiting.set(key, line); // behind the other keys
      if (!start) continue;
      this.#total -= 1;
      this.#running.add(key);
      start();
      return;
    }
  }
}
