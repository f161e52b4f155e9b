import type { Cache } from "../../platform/cache/cache.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Medium } from "./contract.ts";
import { type Match, RuleIndex } from "./rule-index.ts";
import { activeRules } from "./store.ts";

const CHANNEL = "automation-rules-changed";
/** A change that was not heard of is made up for after this long. */
const KEPT_MS = 60_000;
const MOST_CLIENTS = 100;

export interface RuleMatcher extends AsyncDisposable {
  /** The client's active rules that fit a medium, the most specific first. */
  matches(clientId: string, medium: Medium): Promise<Match[]>;
  /** To be called after every change of a client's rules. */
  tellChanged(clientId: string): Promise<void>;
}

/** Keeps the index of each client that is asked for, on every replica, until its rules change. */
export async function createRuleMatcher(db: Database, cache: Cache): Promise<RuleMatcher> {
  const indexes = new Map<string, { until: number; index: Promise<RuleIndex> }>();
  const subscription = await cache.subscribe(CHANNEL, (clientId) => indexes.delete(clientId));

  const indexOf = (clientId: string): Promise<RuleIndex> => {
    const kept = indexes.get(clientId);
    if (kept && kept.until > performance.now()) return kept.index;
    const index = activeRules(db, clientId).then((rules) => new RuleIndex(rules));
    indexes.delete(clientId);
    indexes.set(clientId, { until: performance.now() + KEPT_MS, index });
    index.catch(() => indexes.delete(clientId));
    if (indexes.size > MOST_CLIENTS) indexes.delete(indexes.keys().next().value ?? "");
    return index;
  };
  return {
    matches: async (clientId, medium) => (await indexOf(clientId)).matches(medium),
    tellChanged: (clientId) => cache.publish(CHANNEL, clientId),
    [Symbol.asyncDispose]: () => subscription[Symbol.asyncDispose](),
  };
}
