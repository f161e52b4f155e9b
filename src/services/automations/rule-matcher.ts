import type { Cache } from "../../platform/cache/cache.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Medium } from "./contract-media.ts";
import type { User } from "../../platform/http/caller.ts";
import { compare, type Match, RuleIndex } from "./rule-index.ts";
import {
  listActiveClientRules,
  listActivePersonalRules,
  findRule,
  readStamp,
} from "./store.ts";

const CHANNEL = "automation-rules-changed";
/** A missed notification takes effect after this time. */
const COMPARE_INTERVAL_MS = 60_000;
const MAX_CLIENTS = 100;

export interface RuleMatcher extends AsyncDisposable {
  /** The active rules that match a user's medium, of the client and the user, best first. */
  matches(user: Pick<User, "userId" | "clientId">, medium: Medium): Promise<Match[]>;
  /** As `matches`, for several media in their order. */
  matchesOfEach(
    user: Pick<User, "userId" | "clientId">,
    media: readonly Medium[],
  ): Promise<Match[][]>;
  /** Must be called after every change of a rule. */
  announceRule(clientId: string, ruleId: number): Promise<void>;
}

interface ClientIndex {
  /** Changes are applied one after another; a match waits for all of them. */
  index: Promise<RuleIndex>;
  /** The stamp of the rules in the database at the last comparison. */
  stamp: string;
  lookAt: number;
}

/**
 * Keeps an index of each client's rules on every replica, and updates it rule by rule. A user's own
 * rules are few: each match reads them from the database.
 */
export async function createRuleMatcher(db: Database, cache: Cache): Promise<RuleMatcher> {
  const clients = new Map<string, ClientIndex>();
  const forget = (clientId: string, entry: ClientIndex) =>
    clients.get(clientId) === entry && clients.delete(clientId);

  const subscription = await cache.subscribe(CHANNEL, (message) => {
    const [ruleId, ...client] = message.split(" ");
    const clientId = client.join(" ");
    const entry = clients.get(clientId);
    if (!entry) return;
    entry.index = entry.index.then(async (index) => {
      const rule = await findRule(db, clientId, Number(ruleId));
      if (rule?.scope === "client") index.put(rule);
      else index.remove(Number(ruleId));
      return index;
    });
    entry.index.catch(() => forget(clientId, entry));
    // the change has changed the stamp too
    entry.stamp = "";
  });

  const load = (clientId: string): ClientIndex => {
    const entry: ClientIndex = {
      index: listActiveClientRules(db, clientId).then((rules) => RuleIndex.build(rules)),
      stamp: "",
      lookAt: nextComparison(),
    };
    clients.delete(clientId);
    clients.set(clientId, entry);
    entry.index.catch(() => forget(clientId, entry));
    if (clients.size > MAX_CLIENTS) clients.delete(clients.keys().next().value ?? "");
    return entry;
  };
  const indexOf = async (clientId: string): Promise<RuleIndex> => {
    const entry = clients.get(clientId) ?? load(clientId);
    if (entry.lookAt > performance.now()) return entry.index;
    entry.lookAt = nextComparison();
    const stamp = await readStamp(db, clientId);
    // with an unknown stamp the rules are loaded again, in case a notification was missed
    const isSame = entry.stamp === stamp;
    if (isSame) return entry.index;
    const fresh = load(clientId);
    fresh.stamp = stamp;
    return fresh.index;
  };
  const matchesOfEach: RuleMatcher["matchesOfEach"] = async (user, media) => {
    const personal = await RuleIndex.build(await listActivePersonalRules(db, user));
    const shared = await indexOf(user.clientId);
    const matches: Match[][] = [];
    for (const medium of media) {
      const own = await personal.matchesInTurns(medium);
      matches.push([...own, ...(await shared.matchesInTurns(medium))].sort(compare));
    }
    return matches;
  };
  return {
    matches: async (user, medium) => (await matchesOfEach(user, [medium]))[0] ?? [],
    matchesOfEach,
    announceRule: (clientId, ruleId) => cache.publish(CHANNEL, `${ruleId} ${clientId}`),
    [Symbol.asyncDispose]: () => subscription[Symbol.asyncDispose](),
  };
}

function nextComparison(): number {
  return performance.now() + COMPARE_INTERVAL_MS;
}
