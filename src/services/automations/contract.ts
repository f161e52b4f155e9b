import { z } from "zod";
import { int8Text } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { SentenceCode } from "../../platform/http/reported-error.ts";
import { route } from "../../platform/http/route.ts";
import { PERSONAL_DATA } from "../users/contract-user-deletion.ts";
import { RuleAgents } from "./contract-agents.ts";
import { Medium, OriginPattern, TypePattern } from "./contract-media.ts";
import { previewContract, TypeMatch } from "./contract-preview.ts";
import { RuleRun, runsContract } from "./contract-runs.ts";
import { schedulesContract } from "./contract-schedules.ts";
import { sourcesContract } from "./contract-sources.ts";

/** Rules that send media to agents. Their fields are snake_case. */

export const RuleScope = z
  .enum(["client", "personal"])
  .describe(
    "`client`: matches media of everybody in the client; `personal`: only its creator's",
  );
export type RuleScope = z.output<typeof RuleScope>;

export const NewRule = z.object({
  name: z.string().trim().min(1).max(200),
  type: TypePattern,
  origin: OriginPattern.default("*"),
  agents: RuleAgents,
  is_active: z.boolean().default(true),
  scope: RuleScope.optional().describe(
    "Default: `client` for users with the permission automation:administer, else `personal`",
  ),
});
export type NewRule = z.output<typeof NewRule>;
export const RuleChange = z
  .object({
    name: NewRule.shape.name,
    type: TypePattern,
    origin: OriginPattern,
    agents: RuleAgents,
    is_active: z.boolean(),
    scope: RuleScope,
  })
  .partial();
export type RuleChange = z.output<typeof RuleChange>;

export const Rule = z.object({
  id: z.number().int(),
  name: z.string(),
  type: z.string(),
  origin: z.string(),
  agents: RuleAgents,
  is_active: z.boolean(),
  client_id: z.string(),
  scope: RuleScope,
  user_id: z.string().describe("Its creator, who must be allowed to use its agents"),
  last_update: z.iso.datetime(),
  created_at: z.iso.datetime(),
});
export type Rule = z.output<typeof Rule>;

const byId = z.object({ id: int8Text(1) });
const base = "/api/automations";

const TOTAL = { "X-Total-Count": "The number of rules on all pages" };

export const automationsContract = {
  personalData: PERSONAL_DATA.automations,
  ...runsContract,
  ...previewContract,
  ...schedulesContract,
  ...sourcesContract,
  list: route({
    method: "get",
    path: base,
    access: "jwt",
    permission: "automation:read",
    summary: "List the client's rules and the caller's own",
    query: pageQuery,
    okHeaders: TOTAL,
    ok: z.array(Rule),
  }),
  search: route({
    method: "get",
    path: `${base}/search`,
    access: "jwt",
    permission: "automation:read",
    summary: "Find rules by text in name, type and origin",
    okHeaders: TOTAL,
    query: pageQuery.extend({
      q: z
        .string()
        .max(500)
        .optional()
        .describe("Text in the name, the type or the origin"),
      scope: RuleScope.optional(),
      origin: z.string().max(500).optional(),
      type: z.string().max(500).optional(),
    }),
    ok: z.array(Rule),
  }),
  match: route({
    method: "post",
    path: `${base}/match`,
    access: "jwt",
    permission: "automation:read",
    changes: "none",
    summary: "Find the rule that a medium would match, and why; no agent runs",
    body: Medium,
    ok: z.object({
      rule: Rule.nullable(),
      reason: z.string(),
      ...SentenceCode.shape,
      candidates: z.array(
        z.object({
          id: z.number().int(),
          name: z.string(),
          type: z.string(),
          origin: z.string(),
          why: z.string(),
          typeMatch: TypeMatch.describe("What its type pattern names"),
          originMatch: z.string().describe("Its origin pattern that matches"),
        }),
      ),
    }),
  }),
  create: route({
    method: "post",
    path: base,
    access: "jwt",
    permission: "automation:create",
    changes: "automation",
    summary: "Create a rule",
    body: NewRule,
    status: 201,
    ok: Rule,
  }),
  get: route({
    method: "get",
    path: `${base}/:id`,
    access: "jwt",
    permission: "automation:read",
    summary: "Read a rule",
    params: byId,
    ok: Rule,
  }),
  change: route({
    method: "patch",
    path: `${base}/:id`,
    access: "jwt",
    permission: "automation:update",
    changes: "automation/:id",
    summary: "Change a rule",
    params: byId,
    body: RuleChange,
    ok: z.object({ success: z.string() }),
  }),
  remove: route({
    method: "delete",
    path: `${base}/:id`,
    access: "jwt",
    permission: "automation:delete",
    changes: "automation/:id",
    summary: "Delete a rule",
    params: byId,
    ok: z.object({ message: z.string() }),
  }),
  listRuleRuns: route({
    method: "get",
    path: `${base}/:id/runs`,
    access: "jwt",
    permission: "automation:read",
    summary: "List a rule's runs without their media; for users who may change the rule",
    params: byId,
    query: pageQuery,
    ok: pageOf(RuleRun),
  }),
};
