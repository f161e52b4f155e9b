/** One message, handed to a consumer. */
export interface Delivery {
  /** The publisher's id, or one made at publishing: the same at each redelivery. */
  id: string;
  /** 1 at the first try. */
  attempt: number;
  data: unknown;
  /** Aborts when the consumer closes and the time to finish is over. */
  signal: AbortSignal;
}

/**
 * Returns when done; throws to try again later; throws `Poison` to go to the dead letters at once.
 */
export type Handler = (delivery: Delivery) => Promise<void>;

export class Poison extends Error {
  override name = "Poison";
}

export interface ConsumeOptions {
  /** Messages in work at once. Default 8. */
  prefetch?: number;
  /** Tries before the dead letters. Default 5. */
  tries?: number;
  /** First wait before a retry in ms; doubles each time, with jitter. Default 1,000. */
  backoffMs?: number;
  /**
   * How long the queue in the database lets messages gather, to take and remove them together, in
   * ms. Default 10.
   */
  gatherMs?: number;
}

export interface PublishOptions {
  /**
   * By which handlers know a repetition; the queue in the database also keeps one message an id
   * while it is there. Default: a new UUIDv7.
   */
  id?: string;
  /** RabbitMQ rounds it up to a power of two. */
  delayMs?: number;
  /** `pattern` of the body, where it is not the queue's name. */
  pattern?: string;
}

export interface DeadLetter {
  id: string;
  data: unknown;
  error: string;
  tries: number;
  diedAt: string;
}

/**
 * Durable, at least once: handlers are idempotent. Bodies on the wire are `{pattern: <queue>,
 * data}`, as NestJS consumers read them. Source: design "Queue messages".
 */
export interface Queue extends AsyncDisposable {
  /**
   * Resolves when the message is safe. Inside `db.tx` it becomes visible with the commit, and not
   * otherwise.
   */
  publish(queue: string, data: unknown, options?: PublishOptions): Promise<void>;
  consume(queue: string, handler: Handler, options?: ConsumeOptions): Promise<AsyncDisposable>;
  /** Queues that this process takes messages from. */
  consumed(): string[];
  deadLetters(
    queue: string,
    page: { limit: number; offset: number },
  ): Promise<{ items: DeadLetter[]; total: number }>;
  /** Puts dead letters back to work. @returns how many. */
  redrive(queue: string, ids?: string[]): Promise<number>;
  ping(): Promise<void>;
}
