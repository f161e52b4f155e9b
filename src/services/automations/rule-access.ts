import sql, { type Sql } from "sql-template-tag";
import type { User } from "../../platform/http/caller.ts";
import { Forbidden, NotFound } from "../../platform/http/errors.ts";
import type { Guard } from "../../platform/http/guard.ts";
import type { Rule, RuleScope } from "./contract.ts";

/** A user, and whether they may create and change rules that match everybody's media. */
export interface RuleUser extends User {
  managesClientRules: boolean;
}

export async function toRuleUser(guard: Guard, user: User): Promise<RuleUser> {
  const managesClientRules = await guard.allows("automation:administer", user);
  return { ...user, managesClientRules };
}

/**
 * The condition for rules that a user may see: rules of the client, own rules, and for managers of
 * the client's rules also personal rules of others.
 */
export function visibleTo(user: RuleUser): Sql {
  const all = user.managesClientRules;
  return sql`client_id = ${user.clientId}
    and (scope = 'client' or ${all} or user_id = ${user.userId})`;
}

/** Whether a rule matches media of a user. */
export function appliesTo(
  rule: Rule,
  { userId, clientId }: Pick<User, "userId" | "clientId">,
): boolean {
  return (
    rule.client_id === clientId && (rule.scope === "client" || rule.user_id === userId)
  );
}

/** @throws Forbidden `client_rule_protected` for rules that the user may not change. */
export function refuseChange(
  user: RuleUser,
  rule: { scope: RuleScope; user_id: string },
): void {
  if (user.managesClientRules) return;
  if (rule.scope === "personal" && rule.user_id === user.userId) return;
  throw new Forbidden(
    "client_rule_protected",
    "This rule is not yours alone. Ask an administrator, or create a personal rule.",
  );
}

export function ruleNotFound(): NotFound {
  return new NotFound(
    "rule_not_found",
    "This rule does not exist, or you may not see it. GET /api/automations lists the " +
      "rules.",
  );
}
