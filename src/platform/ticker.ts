/** So many calls at once hold the process for a moment that nobody notices. */
const MAX_RUNS = 128;

interface Tick {
  runs: Set<() => void>;
  timer: NodeJS.Timeout;
}

/**
 * Calls functions at an interval, many from one timer: what each open stream asks each second costs
 * several times as much where each wakes the process by itself. The first call comes after the
 * interval, or sooner.
 */
export class Ticker {
  readonly #everyMs: number;
  readonly #ticks = new Set<Tick>();

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** @param run must not throw. @returns ends the calls. */
  add(run: () => void): () => void {
    const tick = this.#withRoom() ?? this.#start();
    tick.runs.add(run);
    return () => {
      if (!tick.runs.delete(run) || tick.runs.size > 0) return;
      clearInterval(tick.timer);
      this.#ticks.delete(tick);
    };
  }

  #withRoom(): Tick | undefined {
    for (const tick of this.#ticks) if (tick.runs.size < MAX_RUNS) return tick;
    return undefined;
  }

  #start(): Tick {
    const runs = new Set<() => void>();
    const call = () => {
      for (const run of runs) run();
    };
    const tick = { runs, timer: setInterval(call, this.#everyMs).unref() };
    this.#ticks.add(tick);
    return tick;
  }
}
