import { type Caller, userOf } from "../../platform/http/caller.ts";
import { offsetOf, readPage } from "../../platform/http/page.ts";
import type { SentenceCode } from "../../platform/http/reported-error.ts";
import { json } from "../../platform/http/respond.ts";
import type { Routes } from "../../platform/http/routes.ts";
import { automationsContract as contract, type Rule } from "./contract.ts";
import { changeRule, createRule, deleteRule, type RuleDeps } from "./manage-rules.ts";
import { refuseChange, ruleNotFound, toRuleUser } from "./rule-access.ts";
import { type Match, TYPE_MATCHES } from "./rule-index.ts";
import { previewRule } from "./preview-rule.ts";
import { listRuleRuns } from "./runs/list-rule-runs.ts";
import { findVisibleRule, listRules } from "./store.ts";

const TYPE_CLASSES = ["any type", "the type's family", "the type itself"] as const;
const MAX_CANDIDATES = 20;

export function ruleRoutes(routes: Routes, deps: RuleDeps): Routes {
  const { db, guard, matcher } = deps;
  const ruleUser = (caller: Caller) => toRuleUser(guard, userOf(caller));
  const toCountedList = ({ items, total }: { items: Rule[]; total: number }) =>
    json(items, 200, { "x-total-count": String(total) });

  return routes
    .on(contract.list, async ({ caller, query }) =>
      toCountedList(
        await listRules(db, await ruleUser(caller), {}, query.limit, offsetOf(query)),
      ),
    )
    .on(contract.search, async ({ caller, query }) =>
      toCountedList(
        await listRules(db, await ruleUser(caller), query, query.limit, offsetOf(query)),
      ),
    )
    .on(contract.match, async ({ caller, body }) =>
      explainMatches(await matcher.matches(userOf(caller), body)),
    )
    .on(contract.previewRule, async ({ caller, body }) => ({
      items: await previewRule(deps, userOf(caller), body),
    }))
    .on(contract.create, async ({ caller, body }) =>
      createRule(deps, await ruleUser(caller), body),
    )
    .on(contract.get, async ({ caller, params }) => {
      const rule = await findVisibleRule(db, await ruleUser(caller), params.id);
      if (!rule) throw ruleNotFound();
      return rule;
    })
    .on(contract.change, async ({ caller, params, body }) => {
      await changeRule(deps, await ruleUser(caller), params.id, body);
      return { success: `Rule ${params.id} was changed.` };
    })
    .on(contract.remove, async ({ caller, params }) => {
      await deleteRule(deps, await ruleUser(caller), params.id);
      return { message: `Rule ${params.id} was deleted.` };
    })
    .on(contract.listRuleRuns, async ({ caller, params, query }) => {
      const user = await ruleUser(caller);
      const rule = await findVisibleRule(db, user, params.id);
      if (!rule) throw ruleNotFound();
      refuseChange(user, rule);
      return readPage(query, (limit, offset) => listRuleRuns(db, rule, limit, offset));
    });
}

function explainMatches(matches: readonly Match[]) {
  const candidates = matches.slice(0, MAX_CANDIDATES).map((match) => {
    const { id, name, type, origin } = match.rule;
    const typeMatch = TYPE_MATCHES[match.typeClass];
    const originMatch = match.origin.text;
    return { id, name, type, origin, why: explainMatch(match), typeMatch, originMatch };
  });
  return { rule: matches[0]?.rule ?? null, ...explainChoice(matches), candidates };
}

function explainChoice(matches: readonly Match[]): { reason: string } & SentenceCode {
  const [first] = matches;
  if (!first)
    return {
      reason: "No active rule matches the type and the origin.",
      code: "no_rule_matches",
    };
  const { id, name } = first.rule;
  const count = matches.length;
  const rank = count > 1 ? `the most specific of ${count}` : "the only match";
  const reason = `Rule ${id} is ${rank}: it names ${explainMatch(first)}.`;
  return count > 1
    ? { reason, code: "most_specific_rule", params: { name, count } }
    : { reason, code: "only_rule", params: { name } };
}

function explainMatch({ typeClass, origin }: Match): string {
  const place = origin.isExact
    ? `exactly the origin "${origin.text}"`
    : `origins like "${origin.text}" (${origin.literals} literal characters)`;
  return `${TYPE_CLASSES[typeClass]} and ${place}`;
}
