import { z } from "zod";
import { jsonObject, limitKeys } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES, route } from "../../platform/http/route.ts";

/**
 * Source: requirements 3, "Flow-provider endpoints"; design "Integrations, permissions, sharing,
 * automations".
 */

const base = "/api/v1/flowengine";
const FlowId = z.string().min(1).max(200);
const byFlow = z.object({ flowId: FlowId });
const UserId = z.string().min(1).max(300).optional();
const UserIdOfSibling = UserId.describe("For sibling services: the user whom it is for");

export const Flow = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  updatedAt: z.iso.datetime().nullable().describe("null where the provider does not tell it"),
  owned: z.boolean().describe("false: granted by an administrator"),
});
export type Flow = z.output<typeof Flow>;

/** A flow's graph in the provider's own form. */
const Graph = limitKeys(
  z.looseObject({
    nodes: z.array(z.unknown()).max(5_000),
    edges: z.array(z.unknown()).max(20_000),
  }),
  1_000,
);

export const NewFlow = z.object({
  name: z.string().trim().min(1).max(200),
  description: z.string().max(4_000).default(""),
  data: Graph.default({ nodes: [], edges: [] }).describe(
    "As the provider exports it: nodes and edges",
  ),
});
export type NewFlow = z.output<typeof NewFlow>;

export const RunFlow = z.object({
  input: z.string().max(400_000),
  inputType: z.enum(["chat", "text", "any"]).default("chat"),
  outputType: z.enum(["chat", "text", "any", "debug"]).default("chat"),
  sessionId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Runs of one session share the flow's memory; another user's of the same name is another one",
    ),
  tweaks: jsonObject()
    .optional()
    .describe("Settings of the flow's components; for its owner alone"),
  files: z
    .array(z.uuid())
    .max(20)
    .default([])
    .describe("Documents that the user may see, to go into the flow"),
  stream: z.boolean().default(false),
  userId: UserIdOfSibling,
});
export type RunFlow = z.output<typeof RunFlow>;

export const FlowResult = z.object({
  flowId: z.string(),
  sessionId: z.string(),
  output: z.string(),
  outputs: z.array(
    z.object({ component: z.string(), text: z.string().optional(), data: z.unknown().optional() }),
  ),
  durationMs: z.number(),
});
export type FlowResult = z.output<typeof FlowResult>;

export const FlowEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text_delta"), delta: z.string() }),
  FlowResult.extend({ type: z.literal("done") }),
  z.object({ type: z.literal("error"), error: z.string(), code: z.string() }),
]);
export type FlowEvent = z.output<typeof FlowEvent>;

export const flowsContract = {
  listFlows: route({
    method: "get",
    path: `${base}/flows`,
    access: "jwt",
    permission: "flow:read",
    summary: "Flows that the user may run: his own, then those granted to him",
    query: pageQuery,
    ok: pageOf(Flow),
  }),
  createFlow: route({
    method: "post",
    path: `${base}/flows`,
    access: "jwt",
    permission: "flow:create",
    summary: "Create a flow, or import one",
    body: NewFlow,
    maxBody: MAX_BODY_BYTES,
    maxValues: MAX_BODY_VALUES,
    status: 201,
    ok: Flow,
  }),
  getFlow: route({
    method: "get",
    path: `${base}/:flowId`,
    access: ["jwt", "service-secret"],
    permission: "flow:read",
    summary: "A flow that the user may run; its graph too where it is his own",
    params: byFlow,
    query: z.object({ userId: UserIdOfSibling }),
    ok: Flow.extend({ data: z.unknown().optional() }),
  }),
  runFlow: route({
    method: "post",
    path: `${base}/:flowId/run`,
    access: ["jwt", "flow-key", "service-secret"],
    permission: "flow:run",
    summary: "Run a flow with input",
    params: byFlow,
    body: RunFlow,
    ok: FlowResult,
    stream: "sse",
    events: FlowEvent,
  }),
  refreshTokens: route({
    method: "post",
    path: `${base}/tokens/refresh`,
    access: "jwt",
    permission: "flow:run",
    summary: "Refresh the access token that is held for the user",
    ok: z.object({
      provider: z.string(),
      expiresAt: z.iso.datetime(),
      refreshed: z.boolean().describe("false: signed in afresh"),
    }),
  }),
  flowProviderHealth: route({
    method: "get",
    path: `${base}/health`,
    access: "public",
    summary: "Health of the flow provider",
    ok: z.object({
      provider: z.string(),
      status: z.enum(["up", "down", "refused"]),
      latencyMs: z.number(),
      version: z.string().optional(),
      reason: z.string().optional(),
    }),
  }),
  getFlowKey: route({
    method: "get",
    path: `${base}/api-key`,
    access: "session",
    permission: "flow:run",
    summary: "The user's key, and the flows that it runs",
    ok: z.object({ apiKey: z.string(), createdAt: z.iso.datetime(), flows: z.array(z.string()) }),
  }),
};
