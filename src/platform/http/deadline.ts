/**
 * A signal that aborts with the caller's, or when the time is over. Whoever made it stops it.
 * `AbortSignal.any` and `AbortSignal.timeout` do the same at many times the cost, and the timer
 * outlives the work.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #forward = () => this.#controller.abort(this.#caller?.reason);
  #late = false;
  #paused = false;

  constructor(signal: AbortSignal | undefined, timeoutMs: number) {
    this.#caller = signal;
    this.#timer = setTimeout(() => this.#end(), timeoutMs);
    if (signal?.aborted) this.#forward();
    else signal?.addEventListener("abort", this.#forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** It was the time. */
  get late(): boolean {
    return this.#late;
  }

  /** The time stands still, until `restart` gives all of it again. */
  pause(): void {
    this.#paused = true;
  }

  restart(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#forward);
  }

  #end(): void {
    if (this.#paused || this.signal.aborted) return;
    this.#late = true;
    this.#controller.abort();
  }
}
