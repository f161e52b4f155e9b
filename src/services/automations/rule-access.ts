import sql, { type Sql } from "sql-template-tag";
import { isAdmin, type User } from "../../platform/http/caller.ts";
import { Forbidden, NotFound } from "../../platform/http/errors.ts";
import type { Rule, RuleScope } from "./contract.ts";

/** Whether the user may make and change rules that take the media of everybody in the client. */
export function mayManageClientRules(user: User): boolean {
  return isAdmin(user);
}

/**
 * Rows of `automations.rules` that a user may see: the client's, the user's own, and all of the
 * client for those who manage its rules.
 */
export function visibleTo(user: User): Sql {
  const all = mayManageClientRules(user);
  return sql`client_id = ${user.clientId}
    and (scope = 'client' or ${all} or user_id = ${user.userId})`;
}

/** Whether a rule takes the media of a user. */
export function appliesTo(
  rule: Rule,
  { userId, clientId }: Pick<User, "userId" | "clientId">,
): boolean {
  return rule.client_id === clientId && (rule.scope === "client" || rule.user_id === userId);
}

/** @throws Forbidden `client_rule_protected` for a rule of the whole client. */
export function refuseChange(user: User, rule: { scope: RuleScope; user_id: string }): void {
  if (mayManageClientRules(user)) return;
  if (rule.scope === "personal" && rule.user_id === user.userId) return;
  throw new Forbidden(
    "client_rule_protected",
    "This rule takes everybody's media. Ask an administrator, or make one of your own.",
  );
}

export function ruleNotFound(): NotFound {
  return new NotFound("rule_not_found", "There is no such rule that you may see.");
}
