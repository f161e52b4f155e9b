import { z } from "zod";
import { int4, jsonObject } from "../../platform/http/bounds.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES, route } from "../../platform/http/route.ts";
import { RunBudget } from "./contract-budget.ts";
import {
  CallId,
  Message,
  ToolChoice,
  ToolDescriptor,
  Usage,
  UsageContext,
} from "../completion/contract.ts";

/** Source: requirements 1, "Agent run request"; design "Agent service". */

export const Approval = z.enum(["never", "destructive", "always"]);

export const Decision = z.object({
  toolCallId: CallId,
  decision: z
    .enum(["approve", "deny", "answer"])
    .describe("`answer`: the caller ran its own tool; `content` is the result"),
  arguments: jsonObject().optional().describe("Instead of those that the model chose"),
  content: z.string().max(4_000_000).optional(),
  isError: z.boolean().optional(),
});

/** A tool as it was when a person allowed all calls of it. */
export const AllowedTool = z.object({
  server: z.string().max(64),
  name: z.string().max(300),
  fingerprint: z.string().max(128),
});
export type AllowedTool = z.output<typeof AllowedTool>;

export const RunRequest = z.object({
  model: z.string().min(1).max(300),
  messages: z.array(Message).min(1).max(10_000),
  stream: z.boolean().default(true),
  instructions: z.string().max(1_000_000).optional(),
  tools: z
    .array(z.string().max(300))
    .max(512)
    .optional()
    .describe("Names of permitted tools. Absent: none"),
  ownTools: z
    .array(ToolDescriptor)
    .max(32)
    .optional()
    .describe(
      "Tools that the caller runs by itself: their calls wait like those that a person decides on, to be answered",
    ),
  maxIterations: z.number().int().min(1).max(15).default(15),
  budgets: z
    .array(RunBudget)
    .max(20)
    .optional()
    .describe("Once one of them is used up the next turn is the last, and calls no tools"),
  toolChoice: ToolChoice.optional(),
  context: UsageContext.optional(),
  approval: Approval.default("never").describe("Which calls wait for a person's decision"),
  allowedTools: z
    .array(AllowedTool)
    .max(1_000)
    .optional()
    .describe("With `destructive`: tools whose calls wait for nobody while they are as named"),
  decisions: z
    .array(Decision)
    .max(64)
    .optional()
    .describe("On calls that wait at the end of `messages`"),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: int4(1).optional(),
});
export type RunRequest = z.output<typeof RunRequest>;

export const ToolOutcome = z.object({
  toolCallId: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  content: z.string(),
  isError: z.boolean(),
  durationMs: z.number(),
});
export type ToolOutcome = z.output<typeof ToolOutcome>;

export const FinishReason = z.enum([
  "stop",
  "length",
  "max_iterations",
  "budget",
  "cancelled",
  "content_filter",
  "approval",
]);
export type FinishReason = z.output<typeof FinishReason>;

const Waiting = z.object({
  toolCallId: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});

export const RunEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text_delta"), delta: z.string() }),
  z.object({ type: z.literal("reasoning_delta"), delta: z.string() }),
  Waiting.extend({ type: z.literal("tool_call") }),
  z.object({
    type: z.literal("tool_result"),
    toolCallId: z.string(),
    name: z.string(),
    content: z.string(),
    isError: z.boolean(),
    durationMs: z.number(),
  }),
  Waiting.extend({
    type: z.literal("approval"),
    server: z.string().optional().describe("Whose tool it is. Absent: the caller's own"),
    fingerprint: z.string().optional().describe("To name it in `allowedTools`"),
  }),
  z.object({
    type: z.literal("done"),
    content: z.string(),
    finishReason: FinishReason,
    iterations: z.number().int(),
    usage: Usage,
    messages: z
      .array(Message)
      .optional()
      .describe("With `approval`: what to send after the given messages, with the decisions"),
  }),
  z.object({ type: z.literal("error"), error: z.string(), code: z.string() }),
]);
export type RunEvent = z.output<typeof RunEvent>;

export const RunResult = z.object({
  content: z.string(),
  finishReason: FinishReason,
  iterations: z.number().int(),
  usage: Usage,
  messages: z.array(Message).describe("Those that the loop appended"),
  toolCalls: z.array(ToolOutcome),
});
export type RunResult = z.output<typeof RunResult>;

export const agentContract = {
  run: route({
    method: "post",
    path: "/api/v1/agent/run",
    access: ["internal", "agent-jwt", "key"],
    permission: "agent:use",
    summary: "Run the loop: ask the model, run its tools, ask again",
    body: RunRequest,
    maxBody: MAX_BODY_BYTES,
    maxValues: MAX_BODY_VALUES,
    ok: RunResult,
    stream: "sse",
    events: RunEvent,
  }),
};
