import sql, { type Sql } from "sql-template-tag";
import type { User } from "../../platform/http/caller.ts";
import { Forbidden, NotFound } from "../../platform/http/errors.ts";
import type { Guard } from "../../platform/http/guard.ts";
import type { Rule, RuleScope } from "./contract.ts";

/** A user, and whether the user may make and change rules that take everybody's media. */
export interface RuleUser extends User {
  managesClientRules: boolean;
}

export async function toRuleUser(guard: Guard, user: User): Promise<RuleUser> {
  const managesClientRules = await guard.allows("automation:administer", user);
  return { ...user, managesClientRules };
}

/**
 * Rows of `automations.rules` that a user may see: the client's, the user's own, and all of the
 * client for those who manage its rules.
 */
export function visibleTo(user: RuleUser): Sql {
  const all = user.managesClientRules;
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
export function refuseChange(user: RuleUser, rule: { scope: RuleScope; user_id: string }): void {
  if (user.managesClientRules) return;
  if (rule.scope === "personal" && rule.user_id === user.userId) return;
  throw new Forbidden(
    "client_rule_protected",
    "This rule takes everybody's media. Ask an administrator, or make one of your own.",
  );
}

export function ruleNotFound(): NotFound {
  return new NotFound("rule_not_found", "There is no such rule that you may see.");
}
