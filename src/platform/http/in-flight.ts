/** A request that is being answered. */
export interface Running {
  /** Called when the answer is complete, or no client waits for it any more. */
  finished(): void;
  /**
   * Called when the shutdown abandons the request. Calls within the process are abandoned by their
   * caller instead.
   */
  onAbandon: () => void;
  /** Called when the shutdown begins, for what would only wait. */
  onDrain: () => void;
}

const nothing = () => {};

/** The requests of a process that are being answered, for its shutdown. */
export interface InFlight {
  readonly draining: boolean;
  enter(): Running;
  /** Refuses new requests, and resolves when the requests in progress have ended. */
  drain(): Promise<void>;
  /** Abandons the requests in progress. */
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
          // a set keeps deleted entries in its old tables until a full collection; they should not
          // keep the whole request as well
          one.onAbandon = nothing;
          one.onDrain = nothing;
          if (running.delete(one) && running.size === 0) drained?.();
        },
        onAbandon: nothing,
        onDrain: nothing,
      };
      running.add(one);
      return one;
    },
    async drain() {
      draining = true;
      for (const one of running) one.onDrain();
      if (running.size > 0) await new Promise<void>((resolve) => (drained = resolve));
    },
    abandon() {
      for (const one of running) one.onAbandon();
    },
  };
}
