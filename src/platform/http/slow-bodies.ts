import { TooManyRequests, Unavailable } from "./errors.ts";

/** A body counts once it has taken this long to arrive. */
const SLOW_AFTER_MS = 1_000;
const RETRY_AFTER_MS = 5_000;

interface Limits {
  perCaller: number;
  total: number;
}

/** A body that arrives. */
export interface Arrival {
  /** Why the body must give way to those of others. */
  refusal?: Error | undefined;
  /** Called then. A promise that all reads race with would hold what each of them has read. */
  onRefused?: ((reason: Error) => void) | undefined;
  end(): void;
}

type Refuse = (reason: Error) => void;

/**
 * Limits the bodies that arrive slowly, each of which holds a connection: those of one caller, and
 * all. Beyond that the last one of the caller with the most gives way.
 */
export class SlowBodies {
  readonly #limits: Limits;
  readonly #slow = new Map<string, Set<Refuse>>();
  #total = 0;

  constructor(limits: Limits = { perCaller: 64, total: 1_000 }) {
    this.#limits = limits;
  }

  begin(caller: string): Arrival {
    const refuse = (reason: Error) => {
      arrival.refusal = reason;
      arrival.onRefused?.(reason);
    };
    const timer = setTimeout(() => this.#add(caller, refuse), SLOW_AFTER_MS).unref();
    const arrival: Arrival = {
      end: () => {
        clearTimeout(timer);
        this.#remove(caller, refuse);
      },
    };
    return arrival;
  }

  get total(): number {
    return this.#total;
  }

  #add(caller: string, refuse: Refuse): void {
    const own = this.#slow.get(caller) ?? new Set();
    if (own.size >= this.#limits.perCaller) return refuse(tooMany(own.size));
    this.#slow.set(caller, own.add(refuse));
    this.#total += 1;
    if (this.#total <= this.#limits.total) return;
    const [most, theirs] = [...this.#slow].reduce((one, other) =>
      other[1].size > one[1].size ? other : one,
    );
    const last = [...theirs].at(-1);
    if (!last) return;
    this.#remove(most, last);
    last(busy());
  }

  #remove(caller: string, refuse: Refuse): void {
    const own = this.#slow.get(caller);
    if (!own?.delete(refuse)) return;
    this.#total -= 1;
    if (own.size === 0) this.#slow.delete(caller);
  }
}

function tooMany(max: number): TooManyRequests {
  return new TooManyRequests(
    "too_many_slow_requests",
    `You are sending ${max} large or slow requests at once. Wait for one to end.`,
    RETRY_AFTER_MS,
    { params: { max } },
  );
}

function busy(): Unavailable {
  return new Unavailable(
    "bodies_busy",
    "This server is reading as many large requests as it can. Try again in a moment.",
    RETRY_AFTER_MS,
  );
}
