/**
 * A signal that aborts with the caller's signal, or when the time is over. Its creator must stop
 * it. `AbortSignal.any` and `AbortSignal.timeout` cost many times as much, and their timer outlives
 * the work.
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
