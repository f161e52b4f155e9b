import { z } from "zod";
import { int4 } from "../../../platform/http/bounds.ts";
import { StoredFailure } from "../../../platform/http/reported-error.ts";
import { route } from "../../../platform/http/route.ts";
import { DoneEvent, sharedEvents, ToolOutcome } from "../../agent-loop/contract-events.ts";
import { AnsweredBy, Usage } from "../../completion/contract.ts";
import { WaitingCalls } from "../conversations/contract-messages.ts";
import { NotFound, StoredSource } from "../sources/contract.ts";

const MessageFields = z.object({
  conversationId: z.uuid().optional().describe("Absent: a new conversation"),
  content: z.string().max(1_000_000).describe("May be empty with `files`"),
  agentId: z
    .uuid()
    .nullable()
    .optional()
    .describe("The agent that answers. Absent: the one that answered before; null: none"),
  agentVersion: int4(1)
    .optional()
    .describe("With `agentId`: answer as this version of the agent. Absent: the newest"),
  model: z
    .string()
    .max(300)
    .optional()
    .describe("Absent: the agent's, else the first enabled model"),
  tools: z
    .array(z.string().max(300))
    .max(512)
    .optional()
    .describe(
      "Names of permitted tools, or `toolset:name` for all of one. Absent: the agent's",
    ),
  files: z
    .array(z.uuid())
    .max(20)
    .default([])
    .describe(
      "Attached documents: the model reads text and images; others are searched, " +
        "also for later messages",
    ),
  parentMessageId: z
    .uuid()
    .nullable()
    .optional()
    .describe(
      "The message of `conversationId` to answer, which may begin a branch. " +
        "Absent: the newest; null: a branch from the beginning",
    ),
  canvasId: z
    .uuid()
    .optional()
    .describe("The canvas that the user has open: the model knows of it and may change it"),
  stream: z.boolean().default(true),
  instructions: z.string().max(100_000).optional(),
  approval: z
    .enum(["never", "destructive", "always"])
    .default("destructive")
    .describe(
      "Which tool calls wait for a decision. `never` needs `tool:approve` and `tool:administer`",
    ),
});
export const SendMessage = MessageFields.refine(
  ({ content, files }) => content !== "" || files.length > 0,
  { path: ["content"], message: "needed in a message without files" },
);
export type SendMessage = z.output<typeof SendMessage>;

const Regenerate = z.object({
  messageId: z.uuid().describe("The user's message to answer again, or one of its replies"),
  model: z.string().max(300).optional().describe("Absent: as before"),
  agentId: z.uuid().nullable().optional().describe("Absent: as before; null: no agent"),
  agentVersion: SendMessage.shape.agentVersion,
  stream: z.boolean().default(true),
  approval: SendMessage.shape.approval,
});
export type Regenerate = z.output<typeof Regenerate>;

export const ConversationEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("conversation"),
    conversationId: z.uuid(),
    userMessageId: z.uuid(),
    messageId: z.uuid(),
    earlier: z
      .object({ content: z.int(), reasoning: z.int() })
      .optional()
      .describe(
        "Of a reply that goes on after a decision: how many characters of its stored text and " +
          "reasoning come before those of the events that follow",
      ),
  }),
  ...sharedEvents,
  z.object({
    type: z.literal("tool_output"),
    toolCallId: z.string(),
    output: z.string().describe("What a call of code printed since; its result has all"),
  }),
  z.object({ type: z.literal("title"), title: z.string() }),
  DoneEvent.extend({ messageId: z.uuid() }),
]);
export type ConversationEvent = z.output<typeof ConversationEvent>;

const Reply = z.object({
  conversationId: z.uuid(),
  messageId: z.uuid(),
  userMessageId: z.uuid(),
  content: z.string(),
  finishReason: z.string(),
  usage: Usage,
  sources: z.array(StoredSource),
  notFound: NotFound.nullish().describe("Why the documents had nothing for this reply"),
  warnings: z
    .array(StoredFailure)
    .nullish()
    .describe("What the reply was made without, such as a page that could not be read"),
  answeredBy: AnsweredBy.nullish(),
  toolCalls: z.array(ToolOutcome),
  waiting: WaitingCalls,
  title: z.string(),
});
export type Reply = z.output<typeof Reply>;

const byConversation = z.object({ conversationId: z.uuid() });
const base = "/api/v1/conversation";

const ONCE = {
  "Idempotency-Key": "A repeated key returns the same reply for 24 hours",
};

export const repliesContract = {
  send: route({
    method: "post",
    path: base,
    access: ["jwt", "key"],
    permission: "conversation:create",
    changes: "conversation",
    summary: "Send a message",
    description:
      "Streams by default. `Idempotency-Key` makes a repeated request give the same answer for " +
      "24 hours. `409 reply_in_progress` while a reply of the branch is in progress; other " +
      "branches can be answered at once.",
    headers: ONCE,
    body: SendMessage,
    maxBody: 4 * 1024 * 1024,
    ok: Reply,
    stream: "sse",
    events: ConversationEvent,
  }),
  regenerate: route({
    method: "post",
    path: `${base}/:conversationId/regenerate`,
    access: ["jwt", "key"],
    permission: "conversation:create",
    changes: "conversation/:conversationId",
    summary: "Answer a message again with a new reply beside the others",
    description:
      "Answers as POST /api/v1/conversation does, with the tools and instructions of the " +
      "message. " +
      "`409 reply_in_progress` while the named reply is in progress.",
    params: byConversation,
    headers: ONCE,
    body: Regenerate,
    ok: Reply,
    stream: "sse",
    events: ConversationEvent,
  }),
  attach: route({
    method: "get",
    path: `${base}/:conversationId/stream`,
    access: "jwt",
    permission: "conversation:read",
    summary: "Continue reading a reply after the event in Last-Event-ID",
    params: byConversation,
    query: z.object({
      messageId: z
        .uuid()
        .optional()
        .describe("The reply. Absent: the newest in progress, else the newest"),
    }),
    stream: "sse",
    events: ConversationEvent,
  }),
  stop: route({
    method: "post",
    path: `${base}/:conversationId/stop`,
    access: "jwt",
    permission: "conversation:update",
    changes: "conversation/:conversationId",
    summary: "Stop a reply in progress; the text so far stays",
    params: byConversation,
    body: z
      .object({
        messageId: z
          .uuid()
          .optional()
          .describe("The reply. Absent: the newest in progress"),
      })
      .optional(),
    ok: z.object({
      stopped: z.boolean().describe("False: the reply had ended already"),
      messageId: z.uuid(),
    }),
  }),
};
