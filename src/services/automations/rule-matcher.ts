import type { Cache } from "../../platform/cache/cache.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Medium } from "./contract.ts";
import type { User } from "../../platform/http/caller.ts";
import { compare, type Match, RuleIndex } from "./rule-index.ts";
import { activeClientRules, activePersonalRules, findRule, stampOf } from "./store.ts";

const CHANNEL = "automation-rules-changed";
/** A change that was not heard of is made up for after this long. */
const LOOK_MS = 60_000;
const MAX_CLIENTS = 100;

export interface RuleMatcher extends AsyncDisposable {
  /** The active rules that take a user's medium, the most specific first: the client's and own. */
  matches(user: Pick<User, "userId" | "clientId">, medium: Medium): Promise<Match[]>;
  /** To be called after every change of a rule. */
  tellChanged(clientId: string, ruleId: number): Promise<void>;
}

interface Kept {
  /** Each change waits for the one before, and whoever asks for all that were told. */
  index: Promise<RuleIndex>;
  /** Of the rules in the database when they were last compared. */
  stamp: string;
  lookAt: number;
}

/**
 * Keeps an index of the rules of each whole client on every replica, and changes it rule by rule.
 * A user's own rules are few: they are read at each match, and cost nobody else anything.
 */
export async function createRuleMatcher(db: Database, cache: Cache): Promise<RuleMatcher> {
  const clients = new Map<string, Kept>();
  const forget = (clientId: string, kept: Kept) =>
    clients.get(clientId) === kept && clients.delete(clientId);

  const subscription = await cache.subscribe(CHANNEL, (message) => {
    const [ruleId, ...client] = message.split(" ");
    const clientId = client.join(" ");
    const kept = clients.get(clientId);
    if (!kept) return;
    kept.index = kept.index.then(async (index) => {
      const rule = await findRule(db, clientId, Number(ruleId));
      if (rule?.scope === "client") index.put(rule);
      else index.remove(Number(ruleId));
      return index;
    });
    kept.index.catch(() => forget(clientId, kept));
    // the change has moved the stamp: it is compared anew
    kept.stamp = "";
  });

  const load = (clientId: string): Kept => {
    const kept: Kept = {
      index: activeClientRules(db, clientId).then((rules) => RuleIndex.build(rules)),
      stamp: "",
      lookAt: later(),
    };
    clients.delete(clientId);
    clients.set(clientId, kept);
    kept.index.catch(() => forget(clientId, kept));
    if (clients.size > MAX_CLIENTS) clients.delete(clients.keys().next().value ?? "");
    return kept;
  };
  const indexOf = async (clientId: string): Promise<RuleIndex> => {
    const kept = clients.get(clientId) ?? load(clientId);
    if (kept.lookAt > performance.now()) return kept.index;
    kept.lookAt = later();
    const stamp = await stampOf(db, clientId);
    // unknown is as good as changed: what was told since the last look came by itself, what was not
    // comes now
    const same = kept.stamp === stamp;
    if (same) return kept.index;
    const fresh = load(clientId);
    fresh.stamp = stamp;
    return fresh.index;
  };
  return {
    async matches(user, medium) {
      const personal = await RuleIndex.build(await activePersonalRules(db, user));
      const own = await personal.matchesInTurns(medium);
      const shared = await (await indexOf(user.clientId)).matchesInTurns(medium);
      return [...own, ...shared].sort(compare);
    },
    tellChanged: (clientId, ruleId) => cache.publish(CHANNEL, `${ruleId} ${clientId}`),
    [Symbol.asyncDispose]: () => subscription[Symbol.asyncDispose](),
  };
}

function later(): number {
  return performance.now() + LOOK_MS;
}
