import { JoinedText, type TextSource } from "./joined-text.ts";
import { LazyResponse } from "./lazy-response.ts";

/** In code every event of a stream carries its name in `type`. */
export interface StreamEvent {
  type: string;
}

/** A response that ends later than it is returned. Its text is for one reader: by `next`, or as the body of any other response. */
export class StreamResponse extends LazyResponse {
  readonly #source: TextSource;
  /** Its reader left: stop the work behind it. */
  onCancel: () => void = () => {};
  /** It ended, one way or another. */
  onEnd: () => void = () => {};
  #ended = false;

  constructor(source: TextSource, init: ResponseInit) {
    super(init);
    this.#source = source;
  }

  /** The next piece of its text; `undefined`: that was all. */
  async next(): Promise<string | undefined> {
    try {
      const text = await this.#source.next();
      if (text === undefined) this.#end();
      return text;
    } catch (error) {
      this.#end();
      throw error;
    }
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
  return respond(batches, write, "text/event-stream; charset=utf-8", { text: KEEP_ALIVE, everyMs: keepAliveMs });
}

/** The same for events that are in wire form already. */
export function encodedEventStream(batches: AsyncIterable<readonly string[]>): StreamResponse {
  return respond(batches, (text) => text, "text/event-stream; charset=utf-8", { text: KEEP_ALIVE, everyMs: KEEP_ALIVE_MS });
}

/** One JSON object a line. Source: design "Completion service". */
export function ndjsonStream<Event extends StreamEvent>(batches: AsyncIterable<readonly Event[]>): StreamResponse {
  return respond(batches, (event) => `${JSON.stringify(event)}\n`, "application/x-ndjson; charset=utf-8");
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
  contentType: string,
  keepAlive?: { text: string; everyMs: number },
): StreamResponse {
  return new StreamResponse(new JoinedText(batches, write, keepAlive), {
    headers: { "content-type": contentType, "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}
