import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../../src/platform/http/route.ts";
import {
  automationsContract,
  type Rule,
} from "../../../../src/services/automations/contract.ts";
import { personalContract } from "../../../../src/services/users/contract-personal.ts";
import { call } from "../../api/call.ts";
import { toFailure } from "../../api/failure.ts";
import { request } from "../../api/request.ts";
import { upload } from "../../api/upload.ts";
import { pagedQuery } from "../../shell/paged.ts";
import { readAgentNames } from "../agent-queries.ts";
import type { RuleFilter } from "../filters.ts";
import { meQuery, usePermission } from "../../shell/queries.ts";

const PAGE = 50;
/** The first bytes tell the type of a file; the rest need not be sent. */
const INSPECTED_BYTES = 2 ** 20;

export type { Rule };
export type RuleScope = Rule["scope"];
export type NewRule = RouteInput<typeof automationsContract.create>["body"];
export type RuleChange = RouteInput<typeof automationsContract.change>["body"];
export type Preview = RouteInput<typeof automationsContract.previewRule>["body"];
export type PreviewedMedium = RouteOk<
  typeof automationsContract.previewRule
>["items"][number];

/** A rule with the names of its agents and of whoever made it, as far as they can be seen. */
export interface ListedRule extends Rule {
  agentNames: (string | undefined)[];
  makerName: string | undefined;
}

export function rulesQuery({ q, scope }: RuleFilter) {
  return pagedQuery<ListedRule>({
    queryKey: ["automations", "rules"],
    filter: [q, scope],
    async load(page, signal) {
      const query = { page, limit: PAGE, q, scope };
      const response = await request(automationsContract.search, { query }, { signal });
      const rules = (await response.json()) as Rule[]; // as the contract says
      const total = Number(response.headers.get("x-total-count"));
      return { items: await withNames(rules, signal), page, limit: PAGE, total };
    },
    keyOf: ({ id }) => String(id),
  });
}

async function withNames(
  rules: readonly Rule[],
  signal: AbortSignal,
): Promise<ListedRule[]> {
  const idsOf = ({ agents }: Rule) =>
    agents.map((agent) => (typeof agent === "string" ? agent : agent.id));
  const [agents, makers] = await Promise.all([
    readAgentNames(rules.flatMap(idsOf), signal),
    readUserNames(
      rules.map((rule) => rule.user_id),
      signal,
    ),
  ]);
  return rules.map((rule) => ({
    ...rule,
    agentNames: idsOf(rule).map((id) => agents.get(id)),
    makerName: makers.get(rule.user_id),
  }));
}

async function readUserNames(ids: readonly string[], signal: AbortSignal) {
  const asked = [...new Set(ids)].join(",");
  if (asked === "") return new Map<string, string>();
  const { items } = await call(
    personalContract.userInfo,
    { query: { ids: asked } },
    { signal },
  ).catch(withoutNames);
  return new Map(items.map(({ id, name }) => [id, name]));
}

/** Who may not read the directory sees the rules all the same. */
function withoutNames(error: unknown): { items: { id: string; name: string }[] } {
  if (toFailure(error).status !== 403) throw error;
  return { items: [] };
}

export function ruleQuery(id: string) {
  return queryOptions({
    queryKey: ["automation", id],
    queryFn: ({ signal }) => call(automationsContract.get, { params: { id } }, { signal }),
  });
}

export type RuleRun = RouteOk<typeof automationsContract.listRuleRuns>["items"][number];

/** A rule's runs on everybody's media, without these; for who may change the rule. */
export function runsOfRuleQuery(id: string) {
  return pagedQuery({
    queryKey: ["runs", "of-rule", id],
    load: (page, signal) =>
      call(
        automationsContract.listRuleRuns,
        { params: { id }, query: { page, limit: PAGE } },
        { signal },
      ),
    keyOf: (run) => run.id,
  });
}

/** Which media a rule would get. The media of the request: files that are only tried. */
export function previewQuery(body: Preview) {
  return queryOptions({
    queryKey: ["runs", "preview", body],
    queryFn: ({ signal }) => call(automationsContract.previewRule, { body }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export async function inspectFile(file: File) {
  const start = new File([file.slice(0, INSPECTED_BYTES)], file.name, { type: file.type });
  return upload(automationsContract.inspectMedium, start);
}

export function createRule(body: NewRule) {
  return call(automationsContract.create, { body });
}

export function changeRule(id: number, body: RuleChange) {
  return call(automationsContract.change, { params: { id: String(id) }, body });
}

export function deleteRule(id: number) {
  return call(automationsContract.remove, { params: { id: String(id) } });
}

/** Which rules are the person's own, or the organisation's that they look after. */
export function useMayChangeRules(): (rule: Pick<Rule, "scope" | "user_id">) => boolean {
  const { data: me } = useQuery(meQuery);
  const administers = usePermission("automation:administer");
  return ({ scope, user_id: userId }) =>
    administers || (scope === "personal" && userId === me?.id);
}
