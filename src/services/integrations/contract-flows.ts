import { z } from "zod";
import { jsonObject, limitKeys } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES, route } from "../../platform/http/route.ts";
import { ErrorEvent, SentenceCode } from "../../platform/http/reported-error.ts";

/** Flows of the flow provider. See docs/flows.md. */

const base = "/api/v1/flowengine";
const FlowId = z.string().min(1).max(200);
const byFlow = z.object({ flowId: FlowId });
const UserId = z.string().min(1).max(300).optional();
const UserIdForServices = UserId.describe("For services: the user");

/** Strangers do not read its version, nor why it cannot be used. */
const observed = {
  access: ["public", "local", "service-secret", "jwt"],
  permission: "signed-in",
} as const;

export const Flow = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  updatedAt: z.iso
    .datetime()
    .nullable()
    .describe("null if the provider does not return it"),
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
      "Runs with the same session share the flow's memory, separately for each user",
    ),
  tweaks: jsonObject()
    .optional()
    .describe("Settings of the flow's components; only its owner may send them"),
  files: z
    .array(z.uuid())
    .max(20)
    .default([])
    .describe("Documents of the user to pass to the flow"),
  stream: z.boolean().default(false),
  userId: UserIdForServices,
});
export type RunFlow = z.output<typeof RunFlow>;

export const FlowResult = z.object({
  flowId: z.string(),
  sessionId: z.string(),
  output: z.string(),
  outputs: z.array(
    z.object({
      component: z.string(),
      text: z.string().optional(),
      data: z.unknown().optional(),
    }),
  ),
  durationMs: z.number(),
});
export type FlowResult = z.output<typeof FlowResult>;

export const FlowEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text_delta"), delta: z.string() }),
  FlowResult.extend({ type: z.literal("done") }),
  ErrorEvent,
]);
export type FlowEvent = z.output<typeof FlowEvent>;

export const flowsContract = {
  listFlows: route({
    method: "get",
    path: `${base}/flows`,
    access: "jwt",
    permission: "flow:read",
    summary: "List the flows that the caller may run: own ones, then granted ones",
    query: pageQuery,
    ok: pageOf(Flow),
  }),
  createFlow: route({
    method: "post",
    path: `${base}/flows`,
    access: "jwt",
    permission: "flow:create",
    changes: "flow",
    summary: "Create or import a flow",
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
    summary: "Read a flow that the caller may run; with its graph for the owner",
    params: byFlow,
    query: z.object({ userId: UserIdForServices }),
    ok: Flow.extend({ data: z.unknown().optional() }),
  }),
  runFlow: route({
    method: "post",
    path: `${base}/:flowId/run`,
    access: ["jwt", "flow-key", "service-secret"],
    permission: "flow:run",
    changes: "none",
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
    changes: "none",
    summary: "Refresh the access token that the service holds for the caller",
    ok: z.object({
      provider: z.string(),
      expiresAt: z.iso.datetime(),
      refreshed: z.boolean().describe("false: signed in afresh"),
    }),
  }),
  flowProviderHealth: route({
    method: "get",
    path: `${base}/health`,
    ...observed,
    summary: "Check the health of the flow provider",
    ok: z.object({
      provider: z.string(),
      status: z.enum(["up", "down", "refused"]),
      latencyMs: z.number(),
      version: z.string().optional(),
      reason: z.string().optional(),
      ...SentenceCode.shape,
    }),
  }),
  getFlowKey: route({
    method: "get",
    path: `${base}/api-key`,
    access: "session",
    permission: "flow:run",
    summary: "Read the caller's key and the flows that it runs",
    ok: z.object({
      apiKey: z.string(),
      createdAt: z.iso.datetime(),
      flows: z.array(z.string()),
    }),
  }),
};
