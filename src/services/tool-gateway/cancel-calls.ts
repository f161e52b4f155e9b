import type { Cache } from "../../platform/cache/cache.ts";

const CHANNEL = "mcp-cancelled";

/** Identifies a call as its client does: by the client's request id in its session. */
export interface CallKey {
  /** The caller of the request. Nobody can cancel the call of another caller. */
  caller: string;
  /** Of `Mcp-Session-Id`; empty where the client sends none. */
  session: string;
  requestId: string | number;
}

/** Running calls of all replicas: a client cancels a call by another request. */
export interface Cancellations extends AsyncDisposable {
  /** Registers a running call. @returns a function that removes it again. */
  register(key: CallKey, cancel: () => void): () => void;
  /**
   * Cancels the call with this key. Two calls with the same key, as of clients without sessions,
   * both continue.
   */
  cancel(key: CallKey): Promise<void>;
}

export async function createCancellations(cache: Cache): Promise<Cancellations> {
  const calls = new Map<string, Set<() => void>>();
  const subscription = await cache.subscribe(CHANNEL, (key) => {
    const [cancel, another] = calls.get(key) ?? [];
    if (!another) cancel?.();
  });
  return {
    register(callKey, cancel) {
      const key = toText(callKey);
      const sameKey = calls.get(key) ?? new Set();
      calls.set(key, sameKey.add(cancel));
      return () => {
        sameKey.delete(cancel);
        if (sameKey.size === 0) calls.delete(key);
      };
    },
    cancel: (key) => cache.publish(CHANNEL, toText(key)),
    [Symbol.asyncDispose]: () => subscription[Symbol.asyncDispose](),
  };
}

function toText({ caller, session, requestId }: CallKey): string {
  return JSON.stringify([caller, session, requestId]);
}
