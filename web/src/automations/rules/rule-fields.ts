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

/** A rule that is new takes one's own media: that it takes everybody's is chosen. */
export function emptyRule(): RuleFields {
  return {
    name: "",
    type: "",
    origin: "*",
    agents: [],
    is_active: true,
    scope: "personal",
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
