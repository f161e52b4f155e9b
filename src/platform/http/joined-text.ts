import { deliver, ReaderLeft } from "../batches.ts";
import { currentContext } from "./context.ts";

/** Buffered characters for a slow reader above which the source waits. */
const MAX_BUFFERED_CHARACTERS = 256 * 1024;
/** Characters in one piece. The socket holds a piece until its reader has taken all of it. */
const MAX_PIECE_CHARACTERS = 64 * 1024;
/** Longer pieces are not joined with others: many readers may share one such string. */
const MAX_JOINED_CHARACTERS = 1024;
/**
 * Text that comes sooner after other text waits, and is sent with what comes until then: nobody
 * reads 60 words a second one by one. The first text goes at once, and so does the last.
 */
const JOIN_MS = 16;

/** Text that arrives in pieces, for one reader. */
export interface TextSource {
  /**
   * What is there now, without a promise for each piece: "" while nothing is, and `undefined` where
   * `next` must be asked, as at the end. Absent where only `next` can be asked.
   */
  takeNow?(): string | undefined;
  /** Whether nothing follows what is there now. */
  readonly isComplete?: boolean;
  /** Called when `takeNow` has another answer than "". */
  onText?: () => void;
  /**
   * Returns the next piece, or `undefined` at the end. Must not be called again before it resolves.
   */
  next(): Promise<string | undefined>;
  /** Called when the reader leaves. A pending `next` resolves to `undefined`. */
  cancel(): void;
}

/** Text that keeps proxies from closing a stream in which nothing happens. */
export interface KeepAlive {
  text: string;
  everyMs: number;
}

/**
 * Reads batches ahead of the reader, up to a limit, so that waiting events are sent in one piece.
 */
export class JoinedText<Event> implements TextSource {
  readonly #source: AsyncIterable<readonly Event[]>;
  readonly #write: (event: Event) => string;
  readonly #waiting = new WaitingText();
  #ended = false;
  #failure: unknown;
  /** Wakes the reader. */
  onText = () => {};
  /** Of a source that waits for its reader. */
  #room: PromiseWithResolvers<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #takenAt = performance.now();
  #wokenAt = -Infinity;
  #joining: NodeJS.Timeout | undefined;

  constructor(
    source: AsyncIterable<readonly Event[]>,
    write: (event: Event) => string,
    keepAlive?: KeepAlive,
  ) {
    this.#source = source;
    this.#write = write;
    if (keepAlive) this.#keepAwakeIn(keepAlive.everyMs, keepAlive);
    void this.#pump();
  }

  async next(): Promise<string | undefined> {
    for (;;) {
      const text = this.takeNow();
      if (text !== "") {
        if (text === undefined && this.#failure !== undefined) throw this.#failure;
        return text;
      }
      await new Promise<void>((resolve) => (this.onText = resolve));
    }
  }

  takeNow(): string | undefined {
    if (this.#waiting.size === 0) return this.#ended ? undefined : "";
    const text = this.#waiting.take();
    if (this.#room && this.#waiting.size < MAX_BUFFERED_CHARACTERS) {
      this.#room.resolve();
      this.#room = undefined;
    }
    return text;
  }

  get isComplete(): boolean {
    return this.#ended && this.#failure === undefined;
  }

  cancel(): void {
    this.#end();
    // one that waits for its upstream ends at its next batch, or by the caller's signal
    this.#room?.reject(new ReaderLeft());
  }

  /** When the time is over, it looks for silence: to move the timer at each word costs more. */
  #keepAwakeIn(ms: number, keepAlive: KeepAlive): void {
    this.#timer = setTimeout(() => {
      const left = this.#takenAt + keepAlive.everyMs - performance.now();
      if (left > 0) return this.#keepAwakeIn(left, keepAlive);
      this.#keepAwakeIn(keepAlive.everyMs, keepAlive);
      if (this.#waiting.size > 0) return;
      this.#waiting.push(keepAlive.text);
      this.onText();
    }, ms).unref();
  }

  #take(events: readonly Event[]): Promise<void> | void {
    if (this.#ended) throw new ReaderLeft();
    this.#waiting.pushAll(events, this.#write);
    this.#takenAt = performance.now();
    if (this.#waiting.size === 0) return undefined;
    this.#wakeInTime(this.#takenAt);
    if (this.#waiting.size < MAX_BUFFERED_CHARACTERS) return undefined;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  #wakeInTime(now: number): void {
    if (this.#waiting.size >= MAX_PIECE_CHARACTERS) return this.#wake(now);
    if (this.#joining) return;
    const early = this.#wokenAt + JOIN_MS - now;
    if (early > 0) this.#joining = setTimeout(this.#wakeJoined, early);
    else this.#wake(now);
  }

  readonly #wakeJoined = () => this.#wake(performance.now());

  #wake(now: number): void {
    if (this.#joining) clearTimeout(this.#joining);
    this.#joining = undefined;
    this.#wokenAt = now;
    this.onText();
  }

  async #pump(): Promise<void> {
    try {
      await deliver(this.#source, (events) => this.#take(events));
    } catch (error) {
      if (this.#ended) return;
      currentContext()?.log.error({ err: error }, "a stream ended with an error");
      this.#failure = error;
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#joining);
    this.onText();
  }
}

/** Buffered text. A long piece is cut when it is taken, and not copied before. */
class WaitingText {
  #pieces: string[] = [];
  /** The number of characters of the first piece that were taken. */
  #offset = 0;
  /** Characters. */
  size = 0;

  push(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.size += piece.length;
  }

  /** Joins short pieces, which is cheaper than sending each. */
  pushAll<Event>(events: readonly Event[], write: (event: Event) => string): void {
    let text = "";
    for (const event of events) {
      const piece = write(event);
      if (piece.length < MAX_JOINED_CHARACTERS) text += piece;
      else {
        this.push(text);
        this.push(piece);
        text = "";
      }
    }
    this.push(text);
  }

  /** Takes and joins the next pieces, up to the maximum size of one. */
  take(): string {
    const text = this.size <= MAX_PIECE_CHARACTERS ? this.#all() : this.#some();
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
    let room = MAX_PIECE_CHARACTERS;
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

/** Returns an end that does not split a surrogate pair. */
function wholeCharacters(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
