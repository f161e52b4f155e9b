/**
 * A signal that aborts with the caller's signal, or when the time is over. Its creator must stop
 * it. `AbortSignal.any` and `AbortSignal.timeout` cost many times as much, and their timer outlives
 * the work.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout;
  #extendedAt = 0;
  readonly #forward = () => this.#controller.abort(this.#caller?.reason);
  #late = false;
  #paused = false;

  constructor(signal: AbortSignal | undefined, timeoutMs: number) {
    this.#caller = signal;
    this.#timeoutMs = timeoutMs;
    this.#timer = setTimeout(this.#end, timeoutMs);
    if (signal?.aborted) this.#forward();
    else signal?.addEventListener("abort", this.#forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time is over. */
  get late(): boolean {
    return this.#late;
  }

  /** Stops the clock until `restart`, which grants the full time again. */
  pause(): void {
    this.#paused = true;
  }

  restart(): void {
    if (!this.#paused) return;
    this.#paused = false;
    // the timer may run for the rest of an earlier time
    this.extend();
    this.#timer.refresh();
  }

  /**
   * Grants the full time again. For each word of a stream: the timer is started again when it is
   * over, which costs less than to move it each time.
   */
  extend(): void {
    this.#extendedAt = performance.now();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#forward);
  }

  readonly #end = () => {
    if (this.#paused || this.signal.aborted) return;
    const left = this.#extendedAt + this.#timeoutMs - performance.now();
    if (this.#extendedAt > 0 && left > 0) {
      this.#timer = setTimeout(this.#end, left);
      return;
    }
    this.#late = true;
    this.#controller.abort();
  };
}
