import type { RouteOk } from "../../../src/platform/http/route.ts";
import type { runsContract } from "../../../src/services/automations/contract-runs.ts";
import type { Rule } from "../../../src/services/automations/contract.ts";

/** What addresses of the lists say. The routes read it at every start: nothing else is here. */

type RuleScope = Rule["scope"];

export interface RuleFilter {
  q?: string | undefined;
  scope?: RuleScope | undefined;
}

export const SCOPES: readonly RuleScope[] = ["client", "personal"];

export function isScope(value: unknown): value is RuleScope {
  return SCOPES.some((scope) => scope === value);
}

type RunStatus = RouteOk<typeof runsContract.getRun>["status"];

export interface RunFilter {
  state?: RunStatus | undefined;
  rule?: number | undefined;
  source?: string | undefined;
  schedule?: string | undefined;
}

export const STATUSES: readonly RunStatus[] = [
  "reading",
  "running",
  "completed",
  "failed",
  "cancelled",
  "unmatched",
];

export function isStatus(value: unknown): value is RunStatus {
  return STATUSES.some((status) => status === value);
}
