import { currentContext } from "./context.ts";

/** In code every event of a stream carries its name in `type`. */
export interface StreamEvent {
  type: string;
}

/** A response that ends later than it is returned. */
export class StreamResponse extends Response {
  /** Its reader left: stop the work behind it. */
  onCancel: () => void = () => {};
  /** It ended, one way or another. */
  onEnd: () => void = () => {};
}

interface StreamOptions<Event> {
  /** A comment line keeps proxies awake. Default 15,000. */
  keepAliveMs?: number;
  /** `id:` of an event, for `Last-Event-ID`. */
  id?: (event: Event) => string | undefined;
}

/** What a stream may hold for a slow reader before its source waits. */
const HIGH_WATER = 256 * 1024;
/** Characters in one chunk: the socket holds a chunk until its reader has taken all of it. */
const LARGEST_CHUNK = 64 * 1024;
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
  const hooks = { cancelled: () => {}, ended: () => {} };
  const body = joiningStream(batches, write, hooks, keepAlive);
  const response = new StreamResponse(body, {
    headers: { "content-type": contentType, "cache-control": "no-store", "x-accel-buffering": "no" },
  });
  hooks.cancelled = () => response.onCancel();
  hooks.ended = () => response.onEnd();
  return response;
}

/** Pumps the source ahead of the reader, up to a bound, so that events which wait leave in one chunk. */
function joiningStream<Event>(
  batches: AsyncIterable<readonly Event[]>,
  write: (event: Event) => string,
  hooks: { cancelled: () => void; ended: () => void },
  keepAlive?: { text: string; everyMs: number },
): ReadableStream<Uint8Array> {
  const source = batches[Symbol.asyncIterator]();
  const waiting = new WaitingText();
  let ended = false;
  let failure: unknown;
  let wakeReader: (() => void) | undefined;
  let wakeSource: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;

  const push = (text: string) => {
    waiting.push(text);
    wakeReader?.();
  };
  const pump = async () => {
    try {
      while (!ended) {
        const next = await source.next();
        if (next.done || ended) break;
        waiting.pushAll(next.value, write);
        wakeReader?.();
        timer?.refresh();
        if (waiting.size >= HIGH_WATER) await new Promise<void>((resolve) => (wakeSource = resolve));
      }
    } catch (error) {
      failure = error;
    } finally {
      ended = true;
      clearInterval(timer);
      wakeReader?.();
    }
  };

  return new ReadableStream<Uint8Array>(
    {
      start() {
        if (keepAlive) {
          timer = setInterval(() => waiting.size === 0 && push(keepAlive.text), keepAlive.everyMs);
          timer.unref();
        }
        void pump();
      },
      async pull(controller) {
        // an empty batch wakes the reader for nothing, and a pull that gives nothing is not repeated
        while (waiting.size === 0 && !ended) await new Promise<void>((resolve) => (wakeReader = resolve));
        wakeReader = undefined;
        if (waiting.size > 0) {
          controller.enqueue(encoder.encode(waiting.take()));
          if (waiting.size < HIGH_WATER) {
            wakeSource?.();
            wakeSource = undefined;
          }
        } else if (failure !== undefined) {
          currentContext()?.log.error({ err: failure }, "a stream ended with an error");
          controller.error(failure);
          hooks.ended();
        } else if (ended) {
          controller.close();
          hooks.ended();
        }
      },
      cancel() {
        ended = true;
        clearInterval(timer);
        wakeSource?.();
        wakeReader?.();
        hooks.cancelled();
        hooks.ended();
        // The source may be waiting for its upstream; the abort above ends that wait, so nobody waits here.
        void Promise.resolve(source.return?.()).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}

/** Text on its way out. A long piece is cut when its turn comes, not copied before: many readers may wait for the same one. */
class WaitingText {
  #pieces: string[] = [];
  /** How far the first piece is gone. */
  #offset = 0;
  /** Characters. */
  size = 0;

  push(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.size += piece.length;
  }

  /** Short ones leave as one piece: it costs less. */
  pushAll<Event>(events: readonly Event[], write: (event: Event) => string): void {
    let text = "";
    for (const event of events) {
      const piece = write(event);
      if (piece.length < LARGEST_CHUNK) text += piece;
      else {
        this.push(text);
        this.push(piece);
        text = "";
      }
    }
    this.push(text);
  }

  /** What is next, joined, up to the largest chunk. */
  take(): string {
    const text = this.size <= LARGEST_CHUNK ? this.#all() : this.#some();
    this.size -= text.length;
    return text;
  }

  #all(): string {
    const pieces = this.#pieces;
    this.#pieces = [];
    const first = pieces[0] ?? "";
    const rest = this.#offset > 0 ? first.slice(this.#offset) : first;
    this.#offset = 0;
    return pieces.length === 1 ? rest : rest + pieces.slice(1).join("");
  }

  #some(): string {
    const taken: string[] = [];
    let room = LARGEST_CHUNK;
    let whole = 0;
    for (const piece of this.#pieces) {
      const left = piece.length - this.#offset;
      if (left > room) {
        const end = wholeCharacters(piece, this.#offset + room);
        taken.push(piece.slice(this.#offset, end));
        this.#offset = end;
        break;
      }
      taken.push(this.#offset > 0 ? piece.slice(this.#offset) : piece);
      this.#offset = 0;
      room -= left;
      whole += 1;
    }
    this.#pieces.splice(0, whole);
    return taken.join("");
  }
}

/** An end that does not part the two halves of a character beyond U+FFFF. */
function wholeCharacters(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
