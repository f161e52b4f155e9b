import type { Database } from "../../platform/db/database.ts";
import type { Fetch } from "../../platform/http/call.ts";
import type { User } from "../../platform/http/caller.ts";
import type { Guard } from "../../platform/http/guard.ts";
import { Conflict } from "../../platform/http/errors.ts";
import { checkAgents } from "./check-agents.ts";
import type { NewRule, Rule, RuleChange } from "./contract.ts";
import { insertWithinLimit } from "../../platform/db/insert-within-limit.ts";
import { type AuditDeps, recordAudit } from "./record-audit.ts";
import { refuseChange, ruleNotFound, type RuleUser } from "./rule-access.ts";
import type { RuleMatcher } from "./rule-matcher.ts";
import { countRules, findVisibleRule, insertRule, removeRule, updateRule } from "./store.ts";

export interface RuleDeps extends AuditDeps {
  db: Database;
  guard: Guard;
  core: Fetch;
  matcher: RuleMatcher;
}

/** What a match of one's own rules may cost is bounded by this. */
const MAX_PERSONAL_RULES = 100;
const MAX_CLIENT_RULES = 100_000;

/** @throws Forbidden for a rule of the client without permission, BadRequest for its agents. */
export async function createRule(deps: RuleDeps, user: RuleUser, rule: NewRule): Promise<Rule> {
  const { db, core, matcher } = deps;
  const scope = rule.scope ?? (user.managesClientRules ? "client" : "personal");
  refuseChange(user, { scope, user_id: user.userId });
  await checkAgents(core, user, rule.agents);
  const limit = limitOf(db, user, scope);
  const made = await insertWithinLimit(db, limit, () => insertRule(db, { ...rule, scope }, user));
  if (scope === "client") await recordAudit(deps, user.userId, "created", auditOf(made));
  await matcher.tellChanged(user.clientId, made.id);
  return made;
}

/**
 * A user's own rule runs only agents that the user may use, whoever chose them. Who chooses the
 * agents of a rule of the client is its maker from then on.
 * @throws NotFound, Forbidden, BadRequest for its agents, Conflict when it changed meanwhile.
 */
export async function changeRule(
  deps: RuleDeps,
  user: RuleUser,
  id: number,
  change: RuleChange,
): Promise<void> {
  const { db, core, matcher } = deps;
  const before = await findVisibleRule(db, user, id);
  if (!before) throw ruleNotFound();
  const scope = change.scope ?? before.scope;
  refuseChange(user, before);
  refuseChange(user, { ...before, scope });
  const agents = change.agents ?? before.agents;
  const isChosen = change.agents !== undefined || scope !== before.scope;
  const maker = scope === "client" && isChosen ? user.userId : before.user_id;
  if (isChosen) await checkAgents(core, user, agents);
  if (isChosen && maker !== user.userId)
    await checkAgents(core, { userId: maker, clientId: before.client_id }, agents);
  if (!(await updateRule(db, before, { ...change, user_id: maker })))
    throw new Conflict("rule_changed", "The rule changed meanwhile. Load it and try again.");
  if (scope === "client" || before.scope === "client" || before.user_id !== user.userId)
    await recordAudit(deps, user.userId, "changed", {
      id,
      details: { scope, owner: before.user_id, fields: Object.keys(change) },
    });
  await matcher.tellChanged(user.clientId, id);
}

/** @throws NotFound, Forbidden for a rule of the client without permission. */
export async function deleteRule(deps: RuleDeps, user: RuleUser, id: number): Promise<void> {
  const { db, matcher } = deps;
  const rule = await findVisibleRule(db, user, id);
  if (!rule) throw ruleNotFound();
  refuseChange(user, rule);
  if (!(await removeRule(db, rule))) throw ruleNotFound();
  if (rule.scope === "client" || rule.user_id !== user.userId)
    await recordAudit(deps, user.userId, "deleted", auditOf(rule));
  await matcher.tellChanged(user.clientId, id);
}

function limitOf(db: Database, user: User, scope: Rule["scope"]) {
  const isClient = scope === "client";
  const max = isClient ? MAX_CLIENT_RULES : MAX_PERSONAL_RULES;
  return {
    key: isClient ? `rules of client ${user.clientId}` : `rules of ${user.userId}`,
    max,
    count: () => countRules(db, user, scope),
    code: "too_many_rules",
    message: isClient
      ? `The client has ${max} rules. Delete one first.`
      : `You have ${max} rules. Delete one first.`,
  };
}

function auditOf({ id, name, scope, user_id: owner, type, origin, agents }: Rule) {
  const ids = agents.map((agent) => (typeof agent === "string" ? agent : agent.id));
  return { id, details: { name, scope, owner, type, origin, agents: ids } };
}
