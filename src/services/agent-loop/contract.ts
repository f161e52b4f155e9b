import { z } from "zod";
import { bodyText, int4, jsonObject, limitKeys } from "../../platform/http/bounds.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES, route } from "../../platform/http/route.ts";
import { RunBudget } from "./contract-budget.ts";
import {
  AnsweredBy,
  CallId,
  Message,
  ToolChoice,
  Usage,
  UsageContext,
} from "../completion/contract.ts";
import { ModelParameters } from "../completion/contract-model-parameters.ts";
import { CarriedLabels } from "../users/contract-judge-labels.ts";
import { ListedTool, ToolAnnotations } from "../tool-gateway/contract.ts";
import { FinishReason, ReplyEvent, ToolOutcome } from "./contract-events.ts";

export const Approval = z.enum(["never", "destructive", "always"]);

export const Decision = z.object({
  toolCallId: CallId,
  decision: z.enum(["approve", "deny"]),
  arguments: jsonObject().optional().describe("Replace the arguments that the model chose"),
});

/** A tool as it was when the user allowed all calls of it. */
export const AllowedTool = z.object({
  server: z.string().max(64),
  name: z.string().max(300),
  fingerprint: z.string().max(128),
});
export type AllowedTool = z.output<typeof AllowedTool>;

const PlatformTool = ListedTool.extend({
  name: z.string().max(300),
  description: bodyText(),
  inputSchema: jsonObject(),
  outputSchema: jsonObject().optional(),
  server: z.string().max(300),
  title: bodyText().optional(),
  fingerprint: z.string().max(300).optional(),
  annotations: limitKeys(
    ToolAnnotations.extend({ title: bodyText().optional() }).catchall(z.unknown()),
    100,
  ).optional(),
});

/**
 * Tools of the platform, which core runs for the user of the session. A user's own request cannot
 * name a session.
 */
export const PlatformTools = z.object({
  sessionId: z.uuid(),
  tools: z.array(PlatformTool).max(64),
});
export type PlatformTools = z.output<typeof PlatformTools>;

/** How a long run ends: with a result of these tools, which a used-up limit must not prevent. */
export const RunEnding = z.object({
  tools: z
    .array(z.string().max(300))
    .max(8)
    .describe(
      "Tools that the model may call in one more turn when a budget, the time or the turns are " +
        "used up, unless one of them has answered before",
    ),
  seconds: z
    .number()
    .int()
    .min(0)
    .max(86_400)
    .describe("After these no further turn begins that calls other tools"),
});
export type RunEnding = z.output<typeof RunEnding>;

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
  platformTools: PlatformTools.optional().describe("Between services only"),
  contextWindow: int4(1)
    .optional()
    .describe("Of the model, in tokens. Tools that would fill it are found, not sent"),
  maxIterations: z.number().int().min(1).max(15).default(15),
  budgets: z
    .array(RunBudget)
    .max(20)
    .optional()
    .describe("When one of them is used up, the next turn is the last and calls no tools"),
  ending: RunEnding.optional().describe("Between services only"),
  toolChoice: ToolChoice.optional(),
  context: UsageContext.optional(),
  approval: Approval.default("never").describe("Which calls wait for the user's decision"),
  allowedTools: z
    .array(AllowedTool)
    .max(1_000)
    .optional()
    .describe(
      "With `destructive`: tools whose calls do not wait until the tool changes, or until the run " +
        "has read the open world",
    ),
  hasReadOpenWorld: z
    .boolean()
    .optional()
    .describe(
      "Whether `instructions` or `messages` hold pages of the web. Results of tools " +
        "without `openWorldHint: false` are known to be such",
    ),
  labels: CarriedLabels.optional().describe(
    "Of what `instructions` and `messages` hold. They decide about providers and calls of tools, and " +
      "what tools of the platform read adds to them",
  ),
  decisions: z
    .array(Decision)
    .max(64)
    .optional()
    .describe("On calls that wait at the end of `messages`"),
  temperature: z.number().min(0).max(2).optional(),
  parameters: ModelParameters.optional().describe("For each turn of the model"),
  maxTokens: int4(1).optional(),
});
export type RunRequest = z.output<typeof RunRequest>;

export const RunResult = z.object({
  content: z.string(),
  finishReason: FinishReason,
  iterations: z.number().int(),
  usage: Usage,
  answeredBy: AnsweredBy.optional(),
  messages: z.array(Message).describe("The messages that the loop appended"),
  toolCalls: z.array(ToolOutcome),
});
export type RunResult = z.output<typeof RunResult>;

export const agentContract = {
  run: route({
    method: "post",
    path: "/api/v1/agent/run",
    access: ["internal", "agent-jwt", "key"],
    permission: "agent:use",
    changes: "none",
    summary: "Run the loop: ask the model, run its tools, ask again",
    body: RunRequest,
    maxBody: MAX_BODY_BYTES,
    maxValues: MAX_BODY_VALUES,
    ok: RunResult,
    stream: "sse",
    events: ReplyEvent,
  }),
};
