import type { NewRule, Rule, RuleScope } from "./queries.ts";

/** What the editor of a rule changes. */
export interface RuleFields {
  name: string;
  type: string;
  origin: string;
  agents: NewRule["agents"];
  is_active: boolean;
  scope: RuleScope;
}

export function emptyRule(administers: boolean): RuleFields {
  return {
    name: "",
    type: "",
    origin: "*",
    agents: [],
    is_active: true,
    scope: administers ? "client" : "personal",
  };
}

export function toFields({
  name,
  type,
  origin,
  agents,
  is_active,
  scope,
}: Rule): RuleFields {
  return { name, type, origin, agents, is_active, scope };
}
