import { shuttingDown } from "./errors.ts";
import { JoinedText, type TextSource } from "./joined-text.ts";
import { LazyResponse } from "./lazy-response.ts";

/** In code every event of a stream carries its name in `type`. */
export interface StreamEvent {
  type: string;
}

/**
 * A response that ends later than it is returned. Its text is for one reader: by `next`, or as the
 * body of any other response.
 */
export class StreamResponse extends LazyResponse {
  readonly #source: TextSource;
  readonly #farewell: (() => string) | undefined;
  /** Its reader left: stop the work behind it. */
  onCancel: () => void = () => {};
  /** It ended, one way or another. */
  onEnd: () => void = () => {};
  #ended = false;
  #givenUp = false;

  /** `farewell`: its last text where the process ends before it. */
  constructor(source: TextSource, init: ResponseInit, farewell?: () => string) {
    super(init);
    this.#source = source;
    this.#farewell = farewell;
  }

  /** The next piece of its text; `undefined`: that was all. */
  async next(): Promise<string | undefined> {
    if (this.#ended) return undefined;
    try {
      const text = await this.#source.next();
      if (text !== undefined) return text;
    } catch (error) {
      if (!this.#givenUp) {
        this.#end();
        throw error;
      }
    }
    this.#end();
    return this.#givenUp ? this.#farewell?.() : undefined;
  }

  /** The process ends: what waits is read yet, and after it the farewell. */
  giveUp(): void {
    if (this.#ended) return;
    this.#givenUp = true;
    this.#source.cancel();
  }

  /** Its reader leaves. Nothing comes of it when it has ended. */
  cancel(): void {
    if (this.#ended) return;
    this.onCancel();
    this.#source.cancel();
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.onEnd();
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
  /** A comment line keeps proxies awake. Default 15,000. */
  keepAliveMs?: number;
  /** `id:` of an event, for `Last-Event-ID`. */
  id?: (event: Event) => string | undefined;
}

/** The last event of a stream that the end of the process cuts short. Source: security row 33. */
function farewell(): StreamEvent & { error: string; code: string } {
  const { message, code } = shuttingDown();
  return { type: "error", error: message, code };
}

const SSE = "text/event-stream; charset=utf-8";
const KEEP_ALIVE = ": keep-alive\n\n";
const KEEP_ALIVE_MS = 15_000;
const encoder = new TextEncoder();

/**
 * Server-sent events: `event:` is the type, `data:` the rest of the object as one line of JSON.
 * What is waiting when the reader comes is sent joined; the first event is never delayed.
 * Source: design "Agent service"; WHATWG HTML, server-sent events.
 */
export function eventStream<Event extends StreamEvent>(
  batches: AsyncIterable<readonly Event[]>,
  { keepAliveMs = KEEP_ALIVE_MS, id }: StreamOptions<Event> = {},
): StreamResponse {
  const write = (event: Event) => (id ? withId(encodeEvent(event), id(event)) : encodeEvent(event));
  return respond(batches, write, () => encodeEvent(farewell()), SSE, {
    text: KEEP_ALIVE,
    everyMs: keepAliveMs,
  });
}

/**
 * The same for events that are in wire form already. `last`: how it says that the process ends,
 * where not as our streams do.
 */
export function encodedEventStream(
  batches: AsyncIterable<readonly string[]>,
  last = () => encodeEvent(farewell()),
): StreamResponse {
  return respond(batches, (text) => text, last, SSE, { text: KEEP_ALIVE, everyMs: KEEP_ALIVE_MS });
}

/** One JSON object a line. Source: design "Completion service". */
export function ndjsonStream<Event extends StreamEvent>(
  batches: AsyncIterable<readonly Event[]>,
): StreamResponse {
  const last = () => `${JSON.stringify({ ...farewell(), retryable: true })}\n`;
  return respond(
    batches,
    (event) => `${JSON.stringify(event)}\n`,
    last,
    "application/x-ndjson; charset=utf-8",
  );
}

/** The wire form of one event. */
export function encodeEvent(event: StreamEvent): string {
  const { type, ...data } = event;
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function withId(encoded: string, id: string | undefined): string {
  return id === undefined ? encoded : `id: ${id}\n${encoded}`;
}

function respond<Event>(
  batches: AsyncIterable<readonly Event[]>,
  write: (event: Event) => string,
  last: () => string,
  contentType: string,
  keepAlive?: { text: string; everyMs: number },
): StreamResponse {
  const headers = {
    "content-type": contentType,
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  };
  return new StreamResponse(new JoinedText(batches, write, keepAlive), { headers }, last);
}
