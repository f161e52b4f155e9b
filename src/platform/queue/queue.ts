import type { ErrorParams } from "../http/errors.ts";
import type { SentenceCode } from "../http/reported-error.ts";

/** One message, as a consumer receives it. */
export interface Delivery {
  /** The publisher's id, or a generated one. It is the same at each delivery of the message. */
  id: string;
  /** 1 at the first delivery. */
  attempt: number;
  data: unknown;
  /**
   * Whether this installation sent it. At a broker, a message without the right signature is that
   * of another system, whatever it says of itself.
   */
  isOwn: boolean;
  /** Aborts when the consumer closes and the time to finish is over. */
  signal: AbortSignal;
}

/**
 * Handles a message. When it returns, the message is done. When it throws, the message is delivered
 * again later; when it throws `Poison`, the message goes to the dead letters at once.
 */
export type Handler = (delivery: Delivery) => Promise<void>;

/** Thrown for a message that no attempt can process. */
export class Poison extends Error {
  override name = "Poison";
  readonly code: string;
  readonly params: ErrorParams | undefined;

  constructor(
    code: string,
    message: string,
    { params, cause }: { params?: ErrorParams | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.params = params;
  }
}

export interface ConsumeOptions {
  /** Messages in progress at once. Default 8. */
  prefetch?: number;
  /** Attempts before a message goes to the dead letters. Default 5. */
  tries?: number;
  /** The first delay before a retry, in ms; it doubles each time, with jitter. Default 1,000. */
  backoffMs?: number;
  /**
   * How long the queue in the database gathers messages to take and remove them together, in ms.
   * Default 10.
   */
  gatherMs?: number;
}

export interface PublishOptions {
  /**
   * Handlers recognize a repeated message by it. The queue in the database also keeps one message
   * of an id while it is there. Default: a new UUIDv7.
   */
  id?: string;
  /** RabbitMQ rounds it up to a power of two. */
  delayMs?: number;
  /** `pattern` of the body. Default: the name of the queue. */
  pattern?: string;
}

/** Why an attempt failed. A failure that nobody foresaw has a sentence and no code. */
export interface AttemptFailure extends SentenceCode {
  error: string;
}

export interface DeadLetter extends AttemptFailure {
  id: string;
  data: unknown;
  tries: number;
  diedAt: string;
}

export interface QueueCounts {
  /** Messages that are not done, without those that wait for a delay at a broker. */
  waiting: number;
  deadLetters: number;
}

/**
 * A durable queue that delivers at least once, so handlers are idempotent. The body of a message is
 * `{pattern: <queue>, data}`, as NestJS consumers read it.
 */
export interface Queue extends AsyncDisposable {
  /**
   * Resolves when the message is durable. Inside `db.tx` it is published with the commit and
   * dropped with a rollback.
   * @throws TooLarge `message_too_large`.
   */
  publish(queue: string, data: unknown, options?: PublishOptions): Promise<void>;
  consume(
    queue: string,
    handler: Handler,
    options?: ConsumeOptions,
  ): Promise<AsyncDisposable>;
  count(queue: string): Promise<QueueCounts>;
  deadLetters(
    queue: string,
    page: { limit: number; offset: number },
  ): Promise<{ items: DeadLetter[]; total: number }>;
  /** Delivers dead letters again. @returns how many. */
  redrive(queue: string, ids?: string[]): Promise<number>;
  /** Deletes dead letters. @returns how many. */
  discard(queue: string, ids?: string[]): Promise<number>;
  ping(): Promise<void>;
}
