import type { Cache } from "../../platform/cache/cache.ts";
import type { ApiError } from "../../platform/http/errors.ts";
import { reportError } from "../../platform/http/reported-error.ts";
import { EngineState } from "./contract.ts";

/** How long what an engine said of its quota is shown. */
const KEPT_MS = 86_400_000;

/** What is known of the engines. Every process of the service sees the same. */
export interface EngineStates {
  read(id: string): Promise<EngineState>;
  /** It is not asked until then, while others answer. */
  rest(id: string, error: ApiError, ms: number): Promise<void>;
  /** It answered. `remaining`: searches that are left, where it says so. */
  answered(id: string, before: EngineState, remaining: number | undefined): Promise<void>;
}

export function createEngineStates(
  cache: Pick<Cache, "get" | "set" | "delete">,
  now: () => number,
): EngineStates {
  const keyOf = (id: string) => `web-engine:${id}`;
  return {
    async read(id) {
      const kept = await cache.get(keyOf(id));
      return kept === null ? {} : EngineState.parse(JSON.parse(kept));
    },
    rest(id, error, ms) {
      const restsUntil = new Date(now() + ms).toISOString();
      const state: EngineState = { restsUntil, problem: reportError(error) };
      return cache.set(keyOf(id), JSON.stringify(state), ms);
    },
    async answered(id, before, remaining) {
      if (remaining !== undefined)
        return cache.set(keyOf(id), JSON.stringify({ remaining }), KEPT_MS);
      if (before.restsUntil !== undefined) await cache.delete(keyOf(id));
    },
  };
}
