import { z } from "zod";
import { ErrorEvent, StoredFailure } from "../../platform/http/reported-error.ts";
import { AnsweredBy, Message, ToolCall, Usage } from "../completion/contract.ts";
import { ResearchState } from "../core/research/contract-state.ts";
import { CarriedLabel } from "../users/contract-judge-labels.ts";
import { NotFound, Source } from "../core/sources/contract.ts";

/**
 * The events of a reply: what the agent loop streams, what core publishes, and what both turn
 * the events of models and flows into.
 */

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

/** The limit at which a run ends. */
export const EndsBecause = z.enum(["budget", "time", "turns"]);
export type EndsBecause = z.output<typeof EndsBecause>;

export const WaitsBecause = z
  .enum(["open_world", "label", "sign_in", "visit"])
  .describe(
    "Why a call of an allowed tool waits. `open_world`: the run has read what anybody may have " +
      "written; `label`: it has read what carries a label whose rule asks; `sign_in`: its server " +
      "wants the user's own account, to be connected before the call is approved; `visit`: its server " +
      "wants the user at an address first",
  );

/** Where the server of a tool wants its user to be before a call goes on. */
export const Visit = z.object({
  address: z
    .string()
    .describe("The server chose it: show it, and open it only when asked to"),
  said: z.string().optional().describe("Why, in the server's words"),
});
export type Visit = z.output<typeof Visit>;

/** An image, a sound or another file in the result of a tool. */
export const ToolFile = z.object({
  kind: z
    .enum(["image", "audio", "file"])
    .describe("`image`: PNG, JPEG, GIF or WebP, by its bytes"),
  name: z.string(),
  mediaType: z.string(),
  data: z.string().describe("base64; empty when the bytes are at `fileId` alone"),
  fileId: z
    .uuid()
    .optional()
    .describe(
      "Of a file of the conversation: GET /api/v1/conversation/files/{fileId}/content",
    ),
  size: z.number().int().optional().describe("In bytes, with `fileId`"),
});
export type ToolFile = z.output<typeof ToolFile>;

/** How the server of a tool shows its result. The model gets none of it. */
export const ToolView = z.object({
  server: z.string(),
  uri: z.string().describe("To be read at POST /api/v1/tools/view"),
  result: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("The whole result as its server gave it; absent where it is too large"),
});
export type ToolView = z.output<typeof ToolView>;

export const ToolFigures = z.object({
  unit: z.enum(["passages", "documents", "lines", "results", "tables", "rows"]),
  count: z.number().int(),
  of: z.number().int().optional().describe("Among how many, where that is known"),
});
export type ToolFigures = z.output<typeof ToolFigures>;

export const ToolOutcome = z.object({
  toolCallId: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  content: z.string().describe("The result as text, which names its files"),
  files: z.array(ToolFile).optional().describe("Files in the result, up to 10"),
  isError: z.boolean(),
  durationMs: z.number(),
  view: ToolView.optional(),
  figures: ToolFigures.optional().describe("How much a tool of the platform found"),
  at: z
    .number()
    .int()
    .optional()
    .describe("How many characters of the reply's `content` stood before the call"),
});
export type ToolOutcome = z.output<typeof ToolOutcome>;

const Call = ToolOutcome.pick({ toolCallId: true, name: true, arguments: true });

/** What a platform tool reports to the reader of a reply, besides its result. */
export const ToolEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("sources"),
    sources: z.array(Source).describe("Further passages that the reply may cite"),
    notFound: NotFound.optional().describe("Why a search found none"),
  }),
  z.object({ type: z.literal("canvas"), canvasId: z.uuid(), version: z.number().int() }),
  z.object({ type: z.literal("research"), research: ResearchState }),
  z.object({
    type: z.literal("labels"),
    labels: z.array(CarriedLabel).describe("Further labels that the reply carries on"),
  }),
]);
export type ToolEvent = z.output<typeof ToolEvent>;

/** Every event before the last. */
const progressEvents = [
  z.object({ type: z.literal("text_delta"), delta: z.string() }),
  z.object({ type: z.literal("reasoning_delta"), delta: z.string() }),
  Call.extend({
    type: z.literal("tool_call"),
    ...ToolCall.pick({ unreadable: true, state: true }).shape,
  }),
  ToolOutcome.omit({ arguments: true, at: true }).extend({
    type: z.literal("tool_result"),
  }),
  Call.extend({
    type: z.literal("approval"),
    server: z.string().optional().describe("The server of the tool"),
    fingerprint: z.string().optional().describe("To name the tool in `allowedTools`"),
    because: WaitsBecause.optional(),
    label: z.string().optional().describe("The name of the label that asks"),
    visit: Visit.optional().describe("With `because: visit`"),
  }),
  StoredFailure.extend({ type: z.literal("warning") }),
  AnsweredBy.extend({
    type: z
      .literal("answered_by")
      .describe("Before what a model writes in the place of the one that was asked"),
  }),
  ...ToolEvent.options,
] as const;

export const DoneEvent = z.object({
  type: z.literal("done"),
  content: z.string(),
  finishReason: FinishReason,
  iterations: z.number().int(),
  usage: Usage,
  answeredBy: AnsweredBy.optional(),
});

export const ReplyEvent = z.discriminatedUnion("type", [
  ...progressEvents,
  DoneEvent.extend({
    messages: z
      .array(Message)
      .optional()
      .describe(
        "With `approval`: what to send after the given messages, with the decisions",
      ),
  }),
  ErrorEvent,
]);
export type ReplyEvent = z.output<typeof ReplyEvent>;

/** The events that a conversation shares with an agent run: all but `done`. */
export const sharedEvents = [...progressEvents, ErrorEvent] as const;
