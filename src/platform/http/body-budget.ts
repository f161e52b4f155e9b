import { getHeapStatistics } from "node:v8";
import { TooManyRequests, Unavailable } from "./errors.ts";
import { type Arrival, SlowBodies } from "./slow-bodies.ts";

/** The memory for large bodies of all requests in progress, in bytes. */
const MAX_BODIES_BYTES = 256 * 1024 * 1024;
const MIN_BODIES_BYTES = 32 * 1024 * 1024;
/** A body takes several times its bytes while it is parsed and passed on. */
const HEAP_FRACTION = 1 / 16;
/** The part of each body that is not counted. */
const FREE_BYTES = 64 * 1024;
const RETRY_AFTER_MS = 2_000;

/** The part of the budget that one request holds. */
export interface BodyShare {
  /** @throws TooManyRequests, Unavailable when the budget has no more for this body now. */
  take(bytes: number): void;
  /** The body arrives: it may have to give way to those of others. */
  begin(): Arrival | undefined;
  release(): void;
}

/** Shares the memory for request bodies among callers: one caller can take at most half of it. */
export class BodyBudget {
  readonly #total: number;
  readonly #held = new Map<string, number>();
  readonly #slow = new SlowBodies();
  #sum = 0;

  constructor(total = budgetOf(getHeapStatistics().heap_size_limit)) {
    this.#total = total;
  }

  /**
   * `caller`: absent for other services, which act for many callers and have no limit of their own.
   * `sender`: whose connections these are, where the callers are many; default: the caller.
   */
  open(caller: string | undefined, sender = caller): BodyShare {
    let body = 0;
    let held = 0;
    return {
      take: (bytes) => {
        body += bytes;
        const more = Math.max(0, body - FREE_BYTES) - held;
        if (more <= 0) return;
        this.#hold(caller, more);
        held += more;
      },
      begin: () => (sender === undefined ? undefined : this.#slow.begin(sender)),
      release: () => {
        this.#release(caller, held);
        body = held = 0;
      },
    };
  }

  #hold(caller: string | undefined, bytes: number): void {
    if (this.#sum + bytes > this.#total) throw busy();
    if (caller !== undefined) {
      const held = (this.#held.get(caller) ?? 0) + bytes;
      if (held > this.#total / 2) throw tooMany(this.#total / 2);
      this.#held.set(caller, held);
    }
    this.#sum += bytes;
  }

  #release(caller: string | undefined, bytes: number): void {
    this.#sum -= bytes;
    if (caller === undefined) return;
    const left = (this.#held.get(caller) ?? 0) - bytes;
    if (left > 0) this.#held.set(caller, left);
    else this.#held.delete(caller);
  }
}

function budgetOf(heapLimit: number): number {
  return Math.min(MAX_BODIES_BYTES, Math.max(MIN_BODIES_BYTES, heapLimit * HEAP_FRACTION));
}

function busy(): Unavailable {
  return new Unavailable(
    "bodies_busy",
    "This server is reading as many large requests as it can. Try again in a moment.",
    RETRY_AFTER_MS,
  );
}

function tooMany(maxBytes: number): TooManyRequests {
  return new TooManyRequests(
    "too_many_large_requests",
    `Your requests in progress may hold ${Math.floor(maxBytes / 1_000_000)} MB together. ` +
      "Wait for one to end.",
    RETRY_AFTER_MS,
    { params: { maxBytes } },
  );
}
