import type { RuleScope } from "./queries.ts";

export const SCOPES: readonly RuleScope[] = ["client", "personal"];

export function isScope(value: unknown): value is RuleScope {
  return SCOPES.some((scope) => scope === value);
}
