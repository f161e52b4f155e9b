import type { Database } from "../../platform/db/database.ts";
import type { Fetch } from "../../platform/http/call.ts";
import { userOf } from "../../platform/http/caller.ts";
import { NotFound } from "../../platform/http/errors.ts";
import { offsetOf } from "../../platform/http/page.ts";
import { json } from "../../platform/http/respond.ts";
import type { Routes } from "../../platform/http/routes.ts";
import { checkAgents } from "./check-agents.ts";
import { automationsContract as contract, type Rule } from "./contract.ts";
import type { Match } from "./rule-index.ts";
import type { RuleMatcher } from "./rule-matcher.ts";
import { findRule, insertRule, listRules, removeRule, updateRule } from "./store.ts";

interface Deps {
  db: Database;
  core: Fetch;
  matcher: RuleMatcher;
}

const CLASSES = ["any type", "the type's family", "the type itself"] as const;
const MAX_CANDIDATES = 20;

export function ruleRoutes(routes: Routes, { db, core, matcher }: Deps): Routes {
  const counted = ({ items, total }: { items: Rule[]; total: number }) =>
    json(items, 200, { "x-total-count": String(total) });

  return routes
    .on(contract.list, async ({ caller, query }) =>
      counted(await listRules(db, userOf(caller).clientId, {}, query.limit, offsetOf(query))),
    )
    .on(contract.search, async ({ caller, query }) =>
      counted(await listRules(db, userOf(caller).clientId, query, query.limit, offsetOf(query))),
    )
    .on(contract.match, async ({ caller, body }) =>
      explained(await matcher.matches(userOf(caller).clientId, body)),
    )
    .on(contract.create, async ({ caller, body }) => {
      const user = userOf(caller);
      await checkAgents(core, user, body.agents);
      const rule = await insertRule(db, body, user.clientId, user.userId);
      await matcher.tellChanged(user.clientId, rule.id);
      return rule;
    })
    .on(contract.get, async ({ caller, params }) => {
      const rule = await findRule(db, userOf(caller).clientId, params.id);
      if (!rule) throw ruleNotFound();
      return rule;
    })
    .on(contract.change, async ({ caller, params, body }) => {
      const user = userOf(caller);
      if (!(await findRule(db, user.clientId, params.id))) throw ruleNotFound();
      if (body.agents) await checkAgents(core, user, body.agents);
      if (!(await updateRule(db, user.clientId, params.id, body))) throw ruleNotFound();
      await matcher.tellChanged(user.clientId, params.id);
      return { success: `Rule ${params.id} was changed.` };
    })
    .on(contract.remove, async ({ caller, params }) => {
      const { clientId } = userOf(caller);
      if (!(await removeRule(db, clientId, params.id))) throw ruleNotFound();
      await matcher.tellChanged(clientId, params.id);
      return { message: `Rule ${params.id} was deleted.` };
    });
}

function explained(matches: readonly Match[]) {
  const candidates = matches.slice(0, MAX_CANDIDATES).map((match) => {
    const { id, name, type, origin } = match.rule;
    return { id, name, type, origin, why: why(match) };
  });
  const [first, second] = matches;
  const reason = !first
    ? "No active rule fits the type and the origin."
    : second
      ? `Rule ${first.rule.id} is the most specific of ${matches.length}: it names ${why(first)}.`
      : `Rule ${first.rule.id} is the only one that fits: it names ${why(first)}.`;
  return { rule: first?.rule ?? null, reason, candidates };
}

function why({ typeClass, origin }: Match): string {
  const place = origin.exact
    ? `exactly the origin "${origin.text}"`
    : `origins like "${origin.text}" (${origin.literals} literal characters)`;
  return `${CLASSES[typeClass]} and ${place}`;
}

function ruleNotFound(): NotFound {
  return new NotFound("rule_not_found", "There is no such rule of your client.");
}
