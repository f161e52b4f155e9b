import type { Cache } from "../../platform/cache/cache.ts";

const CHANNEL = "mcp-cancelled";

/** Which call a client means: its own id of the request, in its session. */
export interface CallKey {
  /** Whose credential it came with: nobody cancels another's. */
  caller: string;
  /** Of `Mcp-Session-Id`; empty where the client sends none. */
  session: string;
  requestId: string | number;
}

/**
 * Calls that run, on whichever replica, found again when their client cancels them: that comes as a
 * request of its own.
 */
export interface Cancellations extends AsyncDisposable {
  /** @returns a function that forgets the call. */
  running(key: CallKey, cancel: () => void): () => void;
  /**
   * Cancels the call that runs under this key. Two of one key, as of clients without sessions, are
   * both left alone.
   */
  cancel(key: CallKey): Promise<void>;
}

export async function createCancellations(cache: Cache): Promise<Cancellations> {
  const calls = new Map<string, Set<() => void>>();
  const subscription = await cache.subscribe(CHANNEL, (name) => {
    const [cancel, another] = calls.get(name) ?? [];
    if (!another) cancel?.();
  });
  return {
    running(key, cancel) {
      const name = nameOf(key);
      const those = calls.get(name) ?? new Set();
      calls.set(name, those.add(cancel));
      return () => {
        those.delete(cancel);
        if (those.size === 0) calls.delete(name);
      };
    },
    cancel: (key) => cache.publish(CHANNEL, nameOf(key)),
    [Symbol.asyncDispose]: () => subscription[Symbol.asyncDispose](),
  };
}

function nameOf({ caller, session, requestId }: CallKey): string {
  return JSON.stringify([caller, session, requestId]);
}
