import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route, type ErrorView } from "../../platform/http/route.ts";

/** Grants of flows. Statuses and bodies of these routes are those of docs/flows.md. */

const base = "/api/v1/flowengine/admin/permissions";
const UserId = z.string().trim().min(1).max(300);
const FlowId = z.string().trim().min(1).max(200);

export const Grant = z.object({ userId: UserId, flowId: FlowId });

const Direct = z.object({ userIds: z.array(UserId).min(1).max(1_000), flowId: FlowId });
const ByGroup = z.object({ groupId: UserId, flowIds: z.array(FlowId).min(1).max(100) });
const FORMATS = "send {userIds, flowId} or {groupId, flowIds}";
export const GroupGrant = z.object({ groupId: UserId, flowId: FlowId });

const GrantableFlow = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  ownerId: z.string().nullable().describe("null: a flow of the operator's account"),
});

export const Revocation = z.union([Direct, ByGroup], { error: FORMATS });
export type Revocation = z.output<typeof Revocation>;

export const RevocationResult = z.object({
  success: z.boolean().describe("Whether anything was revoked"),
  message: z.string(),
  results: z.array(
    z.object({
      flowId: z.string(),
      success: z.boolean().describe("Whether anybody lost this flow"),
      userResults: z.array(
        z.object({
          userId: z.string(),
          success: z
            .boolean()
            .describe("false: the user had no access, or removing it failed"),
        }),
      ),
    }),
  ),
});
export type RevocationResult = z.output<typeof RevocationResult>;

const Permission = z.object({
  userId: z.string(),
  flowId: z.string(),
  flowName: z.string().describe("As last seen at the provider"),
  grantedBy: z.string(),
  grantedAt: z.iso.datetime(),
});

const ErrorOnly = z.object({ error: z.string() });
const ErrorWithDetails = ErrorOnly.extend({ details: z.string().optional() });
const toErrorOnly = ({ message }: ErrorView) => ({ error: message });
const toErrorWithDetails = ({ status, code, message, details }: ErrorView) =>
  status === 400 && code !== "group_empty"
    ? { error: message, details: detailsOf(details, message) }
    : { error: message };

/** These routes return 401 instead of 403, and 500 for every failure of a server. */
const statusOf = (status: number) => (status > 500 ? 500 : status === 403 ? 401 : status);

function detailsOf(details: unknown, message: string): string {
  const parsed = z
    .array(z.object({ path: z.string(), message: z.string() }))
    .safeParse(details);
  return parsed.success
    ? parsed.data.map((issue) => `${issue.path}: ${issue.message}`).join("; ")
    : message;
}

export const permissionsContract = {
  grantFlow: route({
    method: "post",
    path: `${base}/grant`,
    access: "admin",
    permission: "flow:administer",
    changes: "flow",
    notAdmin: 401,
    statusOf,
    summary: "Grant a flow to a user; the first grant creates the user's key",
    body: Grant,
    ok: z.object({ apiKey: z.string(), message: z.string() }),
    also: { 201: "The user had no key. It was created." },
    errorBody: toErrorOnly,
    errorSchema: ErrorOnly,
  }),
  grantFlowToGroup: route({
    method: "post",
    path: `${base}/grant-group`,
    access: "admin",
    permission: "flow:administer",
    changes: "flow",
    notAdmin: 401,
    statusOf,
    summary: "Grant a flow to those who are members of a group now, in nested groups too",
    body: GroupGrant,
    ok: z.object({
      members: z.number().int().describe("Members who may run the flow now"),
      refused: z.number().int().describe("Members who are disabled or deleted"),
    }),
    errorBody: toErrorWithDetails,
    errorSchema: ErrorWithDetails,
  }),
  listGrantableFlows: route({
    method: "get",
    path: "/api/v1/flowengine/admin/flows",
    access: "admin",
    permission: "flow:administer",
    notAdmin: 401,
    statusOf,
    summary:
      "List flows to grant: of the operator's account, of the caller, and granted in the tenant",
    query: pageQuery.extend({
      query: z.string().max(200).optional().describe("Part of the name"),
    }),
    ok: pageOf(GrantableFlow),
    errorBody: toErrorOnly,
    errorSchema: ErrorOnly,
  }),
  revokeFlows: route({
    method: "post",
    path: `${base}/revoke-group`,
    access: "admin",
    permission: "flow:administer",
    changes: "flow",
    notAdmin: 401,
    statusOf,
    summary: "Revoke flows from users or from the members of a group, at once",
    body: Revocation,
    ok: RevocationResult,
    errorBody: toErrorWithDetails,
    errorSchema: ErrorWithDetails,
  }),
  listPermissions: route({
    method: "get",
    path: base,
    access: "admin",
    permission: "flow:administer",
    notAdmin: 401,
    statusOf,
    summary: "List which user may run which flow, and who granted it",
    query: pageQuery.extend({ userId: UserId.optional(), flowId: FlowId.optional() }),
    ok: pageOf(Permission),
    errorBody: toErrorOnly,
    errorSchema: ErrorOnly,
  }),
};
