import type { Database } from "../../platform/db/database.ts";
import { type Fetch, call } from "../../platform/http/call.ts";
import type { User } from "../../platform/http/caller.ts";
import type { Guard } from "../../platform/http/guard.ts";
import { Conflict } from "../../platform/http/errors.ts";
import { checkAgents } from "./check-agents.ts";
import type { NewRule, Rule, RuleChange } from "./contract.ts";
import { insertWithinLimit } from "../../platform/db/insert-within-limit.ts";
import { refuseChange, ruleNotFound, type RuleUser } from "./rule-access.ts";
import type { RuleMatcher } from "./rule-matcher.ts";
import {
  countRules,
  findVisibleRule,
  insertRule,
  removeRule,
  updateRule,
} from "./store.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { type AuditAction, auditContract } from "../users/contract-audit.ts";

export interface RuleDeps extends AuditDeps {
  db: Database;
  guard: Guard;
  core: Fetch;
  matcher: RuleMatcher;
}

/** Bounds the cost of matching a user's own rules. */
const MAX_PERSONAL_RULES = 100;
const MAX_CLIENT_RULES = 100_000;

/**
 * Creates a rule.
 * @throws Forbidden for a rule of the client without permission; BadRequest for invalid agents.
 */
export async function createRule(
  deps: RuleDeps,
  user: RuleUser,
  rule: NewRule,
): Promise<Rule> {
  const { db, core, matcher } = deps;
  const scope = rule.scope ?? (user.managesClientRules ? "client" : "personal");
  refuseChange(user, { scope, user_id: user.userId });
  await checkAgents(core, user, rule.agents);
  const limit = toLimit(db, user, scope);
  const created = await insertWithinLimit(db, limit, () =>
    insertRule(db, { ...rule, scope }, user),
  );
  if (scope === "client")
    await recordAudit(deps, user.userId, "created", toAuditEntry(created));
  await matcher.announceRule(user.clientId, created.id);
  return created;
}

/**
 * Changes a rule. A personal rule runs only agents that its user may use, whoever chose them. The
 * user who chooses the agents of a rule of the client becomes its creator.
 * @throws NotFound; Forbidden; BadRequest for invalid agents; Conflict `too_many_rules` of the new
 * scope, or after a concurrent change.
 */
export async function changeRule(
  deps: RuleDeps,
  user: RuleUser,
  id: number,
  change: RuleChange,
): Promise<void> {
  const { db, core, matcher } = deps;
  const current = await findVisibleRule(db, user, id);
  if (!current) throw ruleNotFound();
  const scope = change.scope ?? current.scope;
  refuseChange(user, current);
  refuseChange(user, { ...current, scope });
  const agents = change.agents ?? current.agents;
  const choosesAgents = change.agents !== undefined || scope !== current.scope;
  const creator = scope === "client" && choosesAgents ? user.userId : current.user_id;
  if (choosesAgents) await checkAgents(core, user, agents);
  if (choosesAgents && creator !== user.userId)
    await checkAgents(core, { userId: creator, clientId: current.client_id }, agents);
  const update = () => updateRule(db, current, { ...change, user_id: creator });
  const limit = toLimit(db, { ...user, userId: creator }, scope);
  const isUpdated = await (scope === current.scope
    ? update()
    : insertWithinLimit(db, limit, update));
  if (!isUpdated)
    throw new Conflict(
      "rule_changed",
      "Somebody else changed the rule. Load it and try again.",
    );
  if (scope === "client" || current.scope === "client" || current.user_id !== user.userId)
    await recordAudit(deps, user.userId, "changed", {
      id,
      details: { scope, owner: current.user_id, fields: Object.keys(change) },
    });
  await matcher.announceRule(user.clientId, id);
}

/** Deletes a rule. @throws NotFound; Forbidden for a rule of the client without permission. */
export async function deleteRule(
  deps: RuleDeps,
  user: RuleUser,
  id: number,
): Promise<void> {
  const { db, matcher } = deps;
  const rule = await findVisibleRule(db, user, id);
  if (!rule) throw ruleNotFound();
  refuseChange(user, rule);
  if (!(await removeRule(db, rule))) throw ruleNotFound();
  if (rule.scope === "client" || rule.user_id !== user.userId)
    await recordAudit(deps, user.userId, "deleted", toAuditEntry(rule));
  await matcher.announceRule(user.clientId, id);
}

function toLimit(db: Database, user: User, scope: Rule["scope"]) {
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

function toAuditEntry({ id, name, scope, user_id: owner, type, origin, agents }: Rule) {
  const ids = agents.map((agent) => (typeof agent === "string" ? agent : agent.id));
  return { id, details: { name, scope, owner, type, origin, agents: ids } };
}

interface AuditDeps {
  users: Fetch;
  log: Logger;
}

/** Records a change of a rule in the audit log, or in the log if the users service fails. */
async function recordAudit(
  { users, log }: AuditDeps,
  actorId: string,
  action: "created" | "changed" | "deleted",
  { id, details }: { id: number; details: Record<string, unknown> },
): Promise<void> {
  const body = {
    actorId,
    action: `automation.rule_${action}` satisfies AuditAction,
    resourceType: "automation",
    resourceId: String(id),
    details,
  };
  await call(users, auditContract.recordAudit, { body }, { timeoutMs: 5_000 }).catch(
    (error: unknown) =>
      log.error(
        { err: error, event: body },
        "a change of a rule could not be recorded in the audit log",
      ),
  );
}
