import { deliver, type Emit, ReaderLeft } from "../batches.ts";
import type { ApiError } from "./errors.ts";
import { JoinedText, type TextSource, type KeepAlive } from "./joined-text.ts";
import { LazyResponse } from "./lazy-response.ts";
import { toErrorEvent } from "./reported-error.ts";
import { AsyncLocalStorage } from "node:async_hooks";
import { currentContext } from "./context.ts";

/** An event of a stream has its name in `type`. */
export interface StreamEvent {
  type: string;
}

/** Returns the last text of a stream that the server ends early. */
type LastText = (reason: ApiError) => string;

/**
 * A response whose body arrives after it is returned. It has one reader, which uses either `next`
 * (and `takeNow`), `deliver` or the standard body.
 */
export class StreamResponse extends LazyResponse {
  readonly #source: TextSource;
  readonly #lastText: LastText | undefined;
  /** Called when the reader leaves, to stop the work behind the stream. */
  onCancel: () => void = () => {};
  /** Called when the stream ends for any reason. The reader sees the end when it is done. */
  onEnd: () => Promise<void> | void = () => {};
  #ended = false;
  #endedBecause: ApiError | undefined;

  constructor(source: TextSource, init: ResponseInit, lastText?: LastText) {
    super(init);
    this.#source = source;
    this.#lastText = lastText;
  }

  /** The events of a stream that consists of them. */
  get events(): EventBatches<object> | undefined {
    return this.#source instanceof EventBatches ? this.#source : undefined;
  }

  /** Returns the next piece of text, or `undefined` at the end. */
  async next(): Promise<string | undefined> {
    if (this.#ended) return undefined;
    const text = await this.#read(() => this.#source.next());
    if (text !== undefined) return text;
    return this.#endedBecause && this.#lastText?.(this.#endedBecause);
  }

  /**
   * The text that is there now: "" while there is none, and `undefined` where `next` must be asked.
   */
  takeNow(): string | undefined {
    return this.#ended ? undefined : this.#source.takeNow?.();
  }

  /** Whether nothing follows what is there now. */
  get isComplete(): boolean {
    return this.#source.isComplete === true && !this.#endedBecause;
  }

  /** Called when `takeNow` has another answer than "". */
  set onText(wake: () => void) {
    this.#source.onText = wake;
  }

  /**
   * Passes on all of `events`, and resolves at the end.
   * @throws ApiError why the stream was ended early.
   */
  async deliver(
    events: EventBatches<object>,
    emit: Emit<readonly object[]>,
  ): Promise<void> {
    if (this.#ended) return;
    await this.#read(async () => {
      await events.deliver(emit, () => this.cancel());
      return undefined;
    });
    if (this.#endedBecause) throw this.#endedBecause;
  }

  /** @returns undefined at the end, also when the stream was ended early. */
  async #read<Piece>(next: () => Promise<Piece | undefined>): Promise<Piece | undefined> {
    try {
      const piece = await next();
      if (piece !== undefined) return piece;
    } catch (error) {
      if (!this.#endedBecause) {
        await this.#end();
        throw error;
      }
    }
    await this.#end();
    return undefined;
  }

  /** Ends the stream early: buffered text is still read, then `lastText`. */
  giveUp(reason: ApiError): void {
    if (this.#ended || this.#endedBecause) return;
    this.#endedBecause = reason;
    this.#source.cancel();
  }

  /** Called when the reader leaves. Has no effect after the end. */
  cancel(): void {
    if (this.#ended) return;
    this.onCancel();
    this.#source.cancel();
    void this.#end();
  }

  async #end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.onEnd();
  }

  protected override content() {
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: async (controller) => {
          const text = await this.next();
          if (text === undefined) controller.close();
          else controller.enqueue(encoder.encode(text));
        },
        cancel: () => this.cancel(),
      },
      { highWaterMark: 0 },
    );
  }
}

interface StreamOptions<Event> {
  /** The interval of comment lines that keep proxies from closing the stream. Default 15,000. */
  keepAliveMs?: number;
  /** The `id:` of an event, for `Last-Event-ID`. */
  id?: (event: Event) => string | undefined;
}

function encodeError(reason: ApiError): string {
  return encodeEvent(toErrorEvent(reason));
}

const SSE = "text/event-stream; charset=utf-8";
const NDJSON = "application/x-ndjson; charset=utf-8";
const KEEP_ALIVE = ": keep-alive\n\n";
const KEEP_ALIVE_MS = 15_000;
const encoder = new TextEncoder();

/**
 * Sends server-sent events (WHATWG HTML): `event:` is the type, `data:` the rest of the object as
 * one line of JSON. Events that wait for the reader are joined; the first is never delayed.
 */
export function eventStream<Event extends StreamEvent>(
  batches: AsyncIterable<readonly Event[]>,
  { keepAliveMs = KEEP_ALIVE_MS, id }: StreamOptions<Event> = {},
): StreamResponse {
  const write = (event: Event) =>
    id ? withId(encodeEvent(event), id(event)) : encodeEvent(event);
  const keepAlive = { text: KEEP_ALIVE, everyMs: keepAliveMs };
  return respond(new EventBatches(batches, write, keepAlive), encodeError, SSE);
}

/**
 * The same for encoded events. `last`: for streams with a format other than ours.
 */
export function encodedEventStream(
  batches: AsyncIterable<readonly string[]>,
  last: LastText = encodeError,
): StreamResponse {
  const keepAlive = { text: KEEP_ALIVE, everyMs: KEEP_ALIVE_MS };
  const source = new JoinedText(batches, (text) => text, keepAlive);
  return respond(source, last, SSE);
}

/** Sends one JSON object a line. */
export function ndjsonStream<Event extends StreamEvent>(
  batches: AsyncIterable<readonly Event[]>,
): StreamResponse {
  const last: LastText = (reason) =>
    `${JSON.stringify({ ...toErrorEvent(reason), retryable: reason.status >= 500 })}\n`;
  const write = (event: Event) => `${JSON.stringify(event)}\n`;
  return respond(new EventBatches(batches, write), last, NDJSON);
}

/** Encodes one event. */
export function encodeEvent(event: StreamEvent): string {
  const { type, ...data } = event;
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The same with the type inside the data too, as the protocols of others have it. */
export function encodeWholeEvent(event: StreamEvent & Record<string, unknown>): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function withId(encoded: string, id: string | undefined): string {
  return id === undefined ? encoded : `id: ${id}\n${encoded}`;
}

function respond(source: TextSource, last: LastText, contentType: string): StreamResponse {
  const headers = {
    "content-type": contentType,
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  };
  return new StreamResponse(source, { headers }, last);
}

/**
 * The events of a stream for its one reader: as objects for a reader in this process, as text for
 * any other. Nothing is produced before the reader asks, whose choice it is.
 *
 * Objects are shared by both sides, so neither changes an event that it has passed on or received.
 */
class EventBatches<Event> implements TextSource {
  readonly #batches: AsyncIterable<readonly Event[]>;
  readonly #write: (event: Event) => string;
  readonly #keepAlive: KeepAlive | undefined;
  /** The work behind the stream belongs to the request that opened it, whoever reads. */
  readonly #inContext = AsyncLocalStorage.snapshot();
  #text: JoinedText<Event> | undefined;
  #isCancelled = false;
  /** Resolves when the reader has all batches, or leaves. */
  #delivered: PromiseWithResolvers<void> | undefined;
  /** Ends the wait for a reader that is slow. */
  #release = () => {};

  constructor(
    batches: AsyncIterable<readonly Event[]>,
    write: (event: Event) => string,
    keepAlive?: KeepAlive,
  ) {
    this.#batches = batches;
    this.#write = write;
    this.#keepAlive = keepAlive;
  }

  /** Whether the text says at intervals that the stream goes on, though nothing happens. */
  get isKeptAlive(): boolean {
    return this.#keepAlive !== undefined;
  }

  /** Returns the next piece of text. For a reader that takes no objects. */
  next(): Promise<string | undefined> {
    return this.#asText().next();
  }

  takeNow(): string | undefined {
    return this.#asText().takeNow();
  }

  get isComplete(): boolean {
    return this.#asText().isComplete;
  }

  set onText(wake: () => void) {
    this.#asText().onText = wake;
  }

  /**
   * Passes on all events, and resolves at the end or when it is cancelled. For a reader that takes
   * no text. What the reader throws is its own: the work behind the stream learns that it left, as
   * `leave` says.
   */
  deliver(read: Emit<readonly Event[]>, leave: () => void): Promise<void> {
    if (this.#isCancelled) return Promise.resolve();
    const delivered = Promise.withResolvers<void>();
    this.#delivered = delivered;
    const fail = (error: unknown) => {
      delivered.reject(error);
      leave();
      throw new ReaderLeft();
    };
    const emit: Emit<readonly Event[]> = (batch) => {
      if (this.#isCancelled) throw new ReaderLeft();
      let wait: Promise<void> | void;
      try {
        wait = read(batch);
      } catch (error) {
        return fail(error);
      }
      return wait && this.#untilTaken(wait, fail);
    };
    this.#inContext(() => deliver(this.#batches, emit)).then(delivered.resolve, (error) => {
      if (!this.#isCancelled && !(error instanceof ReaderLeft))
        this.#inContext(() =>
          currentContext()?.log.error({ err: error }, "a stream ended with an error"),
        );
      delivered.reject(error);
    });
    return delivered.promise;
  }

  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#release();
    if (this.#delivered) return this.#delivered.resolve();
    // a source that nobody has asked would not do what it does at its end
    this.#asText().cancel();
  }

  /** A promise for each batch: one that all share would hold something of each to the end. */
  #untilTaken(wait: Promise<void>, fail: (error: unknown) => never): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#release = resolve;
      const failed = (error: unknown) => {
        // the source learns of it, and is not let go on
        this.#release = () => {};
        return fail(error);
      };
      wait.catch(failed).then(resolve, reject);
    });
  }

  #asText(): JoinedText<Event> {
    return (this.#text ??= this.#inContext(
      () => new JoinedText(this.#batches, this.#write, this.#keepAlive),
    ));
  }
}
