import { AsyncLocalStorage } from "node:async_hooks";
import { currentContext } from "./context.ts";
import { JoinedText, type KeepAlive, type TextSource } from "./joined-text.ts";

/**
 * The events of a stream for its one reader: as objects for a reader in this process, as text for
 * any other. Nothing is produced before the reader asks, whose choice it is.
 *
 * Objects are shared by both sides, so neither changes an event that it has passed on or received.
 */
export class EventBatches<Event> implements TextSource {
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
