import { currentContext } from "./context.ts";

/** What a stream may hold for a slow reader before its source waits. */
const HIGH_WATER = 256 * 1024;
/** Characters in one piece: the socket holds a piece until its reader has taken all of it. */
const MAX_PIECE_BYTES = 64 * 1024;
/**
 * Characters; longer ones are not joined with others before they leave, since many readers may wait
 * for the same one.
 */
const SHORT_PIECE = 1024;

/** Text that comes piece by piece, for one reader. */
export interface TextSource {
  /**
   * The next piece; `undefined`: there is none any more. Not to be asked again before it has
   * answered.
   */
  next(): Promise<string | undefined>;
  /** The reader left. Whoever waits for a piece learns that there is none. */
  cancel(): void;
}

/**
 * Pumps the batches ahead of the reader, up to a bound, so that events which wait leave in one
 * piece.
 */
export class JoinedText<Event> implements TextSource {
  readonly #source: AsyncIterator<readonly Event[]>;
  readonly #write: (event: Event) => string;
  readonly #waiting = new WaitingText();
  #ended = false;
  #failure: unknown;
  #wakeReader: (() => void) | undefined;
  #wakeSource: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    batches: AsyncIterable<readonly Event[]>,
    write: (event: Event) => string,
    keepAlive?: { text: string; everyMs: number },
  ) {
    this.#source = batches[Symbol.asyncIterator]();
    this.#write = write;
    if (keepAlive)
      this.#timer = setInterval(() => this.#keepAwake(keepAlive.text), keepAlive.everyMs).unref();
    void this.#pump();
  }

  async next(): Promise<string | undefined> {
    // an empty batch wakes the reader for nothing
    while (this.#waiting.size === 0 && !this.#ended)
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    this.#wakeReader = undefined;
    if (this.#waiting.size > 0) {
      const text = this.#waiting.take();
      if (this.#waiting.size < HIGH_WATER) this.#wakeSource?.();
      return text;
    }
    if (this.#failure !== undefined) throw this.#failure;
    return undefined;
  }

  cancel(): void {
    this.#end();
    this.#wakeSource?.();
    // the source may be waiting for its upstream; the caller's signal ends that wait, so nobody
    // waits here
    void Promise.resolve(this.#source.return?.()).catch(() => {});
  }

  #keepAwake(text: string): void {
    if (this.#waiting.size > 0) return;
    this.#waiting.push(text);
    this.#wakeReader?.();
  }

  async #pump(): Promise<void> {
    try {
      while (!this.#ended) {
        const next = await this.#source.next();
        if (next.done || this.#ended) break;
        this.#waiting.pushAll(next.value, this.#write);
        this.#wakeReader?.();
        this.#timer?.refresh();
        if (this.#waiting.size >= HIGH_WATER)
          await new Promise<void>((resolve) => (this.#wakeSource = resolve));
      }
    } catch (error) {
      if (!this.#ended) currentContext()?.log.error({ err: error }, "a stream ended with an error");
      this.#failure = error;
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#ended = true;
    clearInterval(this.#timer);
    this.#wakeReader?.();
  }
}

/** Text on its way out. A long piece is cut when its turn comes, not copied before. */
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
      if (piece.length < SHORT_PIECE) text += piece;
      else {
        this.push(text);
        this.push(piece);
        text = "";
      }
    }
    this.push(text);
  }

  /** What is next, joined, up to the largest piece. */
  take(): string {
    const text = this.size <= MAX_PIECE_BYTES ? this.#all() : this.#some();
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
    let room = MAX_PIECE_BYTES;
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
