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
 * A response whose body arrives after it is returned. It has one reader, which uses either `next`,
 * `nextBatch` or the standard body.
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
   * Returns the next of `events`, or `undefined` at the end.
   * @throws ApiError why the stream was ended early.
   */
  async nextBatch(events: EventBatches<object>): Promise<readonly object[] | undefined> {
    if (this.#ended) return undefined;
    const batch = await this.#read(() => events.nextBatch());
    if (batch === undefined && this.#endedBecause) throw this.#endedBecause;
    return batch;
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
  const source = new JoinedText(batches[Symbol.asyncIterator](), (text) => text, keepAlive);
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
  readonly #batches: AsyncIterator<readonly Event[]>;
  readonly #write: (event: Event) => string;
  readonly #keepAlive: KeepAlive | undefined;
  /** The work behind the stream belongs to the request that opened it, whoever reads. */
  readonly #inContext = AsyncLocalStorage.snapshot();
  readonly #pull = () => this.#batches.next();
  #text: JoinedText<Event> | undefined;
  #isCancelled = false;
  #isStarted = false;
  #wakeReader: (() => void) | undefined;

  constructor(
    batches: AsyncIterable<readonly Event[]>,
    write: (event: Event) => string,
    keepAlive?: KeepAlive,
  ) {
    this.#batches = batches[Symbol.asyncIterator]();
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

  /**
   * Returns the next events, or `undefined` at the end. For a reader that takes no text. Must not
   * be called again before it resolves.
   */
  nextBatch(): Promise<readonly Event[] | undefined> {
    if (this.#isCancelled) return Promise.resolve(undefined);
    this.#isStarted = true;
    const batch = Promise.withResolvers<readonly Event[] | undefined>();
    this.#wakeReader = () => batch.resolve(undefined);
    this.#inContext(this.#pull).then(
      ({ done, value }) => batch.resolve(done === true ? undefined : value),
      (error: unknown) => {
        if (!this.#isCancelled)
          this.#inContext(() =>
            currentContext()?.log.error({ err: error }, "a stream ended with an error"),
          );
        batch.reject(error);
      },
    );
    return batch.promise;
  }

  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    // a generator that nobody has asked would not run what it does at its end
    if (!this.#isStarted) this.#asText();
    if (this.#text) return this.#text.cancel();
    this.#wakeReader?.();
    // the source may be waiting for its upstream; the caller's signal ends that wait
    void Promise.resolve(this.#batches.return?.()).catch(() => {});
  }

  #asText(): JoinedText<Event> {
    this.#isStarted = true;
    return (this.#text ??= this.#inContext(
      () => new JoinedText(this.#batches, this.#write, this.#keepAlive),
    ));
  }
}
