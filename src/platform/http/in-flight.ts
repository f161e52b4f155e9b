/** A request that is being answered. */
export interface Running {
  /** It has been answered, or nobody waits for it any more. */
  finished(): void;
  /**
   * What to do when it is given up. Not asked for where its caller is of this process and is given
   * up himself.
   */
  onAbandon: () => void;
}

const nothing = () => {};

/** The requests of a process, for its end. */
export interface InFlight {
  readonly draining: boolean;
  enter(): Running;
  /** From now on nothing new is let in. Resolves when what runs has ended. */
  drain(): Promise<void>;
  /** Gives up what still runs. */
  abandon(): void;
}

export function inFlightRequests(): InFlight {
  const running = new Set<Running>();
  let draining = false;
  let drained: (() => void) | undefined;
  return {
    get draining() {
      return draining;
    },
    enter() {
      const one: Running = {
        finished() {
          // the set's former tables hold what they held until the collector comes to the old
          // generation: not the whole request as well
          one.onAbandon = nothing;
          if (running.delete(one) && running.size === 0) drained?.();
        },
        onAbandon: nothing,
      };
      running.add(one);
      return one;
    },
    async drain() {
      draining = true;
      if (running.size > 0) await new Promise<void>((resolve) => (drained = resolve));
    },
    abandon() {
      for (const one of running) one.onAbandon();
    },
  };
}
