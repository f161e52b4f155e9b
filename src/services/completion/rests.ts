import { createRests as createRestsBy, type Rests } from "../../platform/in-turn/rests.ts";
import { meaningOf } from "./failure-meanings.ts";
import { ProviderFailure } from "./provider-failures.ts";

/** Rests of models, and of keys, by what the failures of their providers mean. */
export function createRests(now?: () => number): Rests {
  return createRestsBy((failure) => {
    const { rest } = meaningOf(failure);
    const asked = failure instanceof ProviderFailure ? failure.retryAfterMs : undefined;
    return { ...(rest && { rest }), retryAfterMs: asked };
  }, now);
}
