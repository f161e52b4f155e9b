import { z } from "zod";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";
import { FinishReason, RunEvent, ToolOutcome } from "../../agent/contract.ts";
import { Usage } from "../../completion/contract.ts";

/** Source: requirements 1, "llm-core: conversations"; design "Conversation core". */

const ConversationMessage = z.object({
  id: z.uuid(),
  conversationId: z.uuid(),
  parentId: z.uuid().nullable(),
  role: z.enum(["user", "assistant"]),
  content: z.string(),
  status: z.enum(["streaming", "complete", "stopped", "failed"]),
  agentId: z.uuid().nullable(),
  agentVersion: z.number().int().nullable().describe("The version of the agent that wrote it"),
  model: z.string().nullable(),
  toolCalls: z.array(ToolOutcome),
  waiting: z
    .array(z.object({ toolCallId: z.string(), name: z.string(), arguments: z.record(z.string(), z.unknown()) }))
    .describe("Calls that wait for a decision"),
  sources: z.array(z.unknown()),
  files: z.array(z.unknown()),
  usage: Usage.nullable(),
  finishReason: z.string().nullable(),
  error: z.object({ error: z.string(), code: z.string() }).nullable(),
  createdAt: z.iso.datetime(),
});
export type ConversationMessage = z.output<typeof ConversationMessage>;

export const Conversation = z.object({
  id: z.uuid(),
  title: z.string(),
  userId: z.string(),
  agentId: z.uuid().nullable(),
  tags: z.array(z.string()),
  pinned: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().optional(),
});
export type Conversation = z.output<typeof Conversation>;

const WholeConversation = Conversation.extend({ messages: z.array(ConversationMessage) });

export const SendMessage = z.object({
  conversationId: z.uuid().optional().describe("Absent: a new conversation"),
  content: z.string().min(1).max(1_000_000),
  agentId: z.uuid().nullable().optional().describe("Who answers. Absent: who answered before; null: no agent"),
  model: z.string().max(300).optional().describe("Absent: the agent's, else the first enabled one"),
  tools: z.array(z.string().max(300)).max(512).optional().describe("Names of permitted tools. Absent: the agent's"),
  parentMessageId: z.uuid().optional().describe("The message to answer: branches the thread. Absent: the newest"),
  stream: z.boolean().default(true),
  instructions: z.string().max(100_000).optional(),
  approval: z.enum(["never", "destructive", "always"]).default("destructive"),
});
export type SendMessage = z.output<typeof SendMessage>;

export const ConversationEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("conversation"), conversationId: z.uuid(), userMessageId: z.uuid(), messageId: z.uuid() }),
  ...RunEvent.options.filter((option) => option.shape.type.value !== "done"),
  z.object({ type: z.literal("title"), title: z.string() }),
  z.object({
    type: z.literal("done"),
    messageId: z.uuid(),
    content: z.string(),
    finishReason: FinishReason,
    iterations: z.number().int(),
    usage: Usage,
  }),
]);
export type ConversationEvent = z.output<typeof ConversationEvent>;

const Reply = z.object({
  conversationId: z.uuid(),
  messageId: z.uuid(),
  userMessageId: z.uuid(),
  content: z.string(),
  finishReason: z.string(),
  usage: Usage,
  sources: z.array(z.unknown()),
  toolCalls: z.array(ToolOutcome),
  title: z.string(),
});
export type Reply = z.output<typeof Reply>;

const byConversation = z.object({ conversationId: z.uuid() });
const base = "/api/v1/conversation";

export const conversationsContract = {
  send: route({
    method: "post",
    path: base,
    access: ["jwt", "key"],
    scope: "conversation",
    summary: "Send a message",
    description: "Streams by default. `Idempotency-Key` makes a repeated request give the same answer for 24 hours.",
    body: SendMessage,
    maxBody: 4 * 1024 * 1024,
    ok: Reply,
    stream: "sse",
    events: ConversationEvent,
  }),
  chatHistory: route({
    method: "get",
    path: `${base}/chat-history`,
    access: "jwt",
    summary: "Own conversations, the last active first",
    query: pageQuery,
    ok: pageOf(Conversation),
  }),
  multiple: route({
    method: "get",
    path: `${base}/multiple`,
    access: "internal",
    summary: "Full conversations by several ids; those that are absent or not the caller's are left out",
    query: z.object({
      ids: z
        .string()
        .transform((ids) => [...new Set(ids.split(",").map((id) => id.trim()))])
        .pipe(z.array(z.uuid()).min(1).max(100))
        .describe("Comma-separated"),
    }),
    ok: z.array(WholeConversation),
  }),
  get: route({
    method: "get",
    path: `${base}/:conversationId`,
    access: "jwt",
    summary: "One conversation with all messages",
    params: byConversation,
    ok: WholeConversation,
  }),
  change: route({
    method: "patch",
    path: `${base}/:conversationId`,
    access: "jwt",
    summary: "Change title or pin",
    params: byConversation,
    body: z.object({ title: z.string().trim().min(1).max(300), pinned: z.boolean() }).partial(),
    ok: Conversation,
  }),
  remove: route({
    method: "delete",
    path: `${base}/:conversationId`,
    access: "jwt",
    summary: "Delete a conversation; its usage stays on record",
    params: byConversation,
  }),
  attach: route({
    method: "get",
    path: `${base}/:conversationId/stream`,
    access: "jwt",
    summary: "Go on reading the newest reply; Last-Event-ID says after which event",
    params: byConversation,
    stream: "sse",
    events: ConversationEvent,
  }),
  stop: route({
    method: "post",
    path: `${base}/:conversationId/stop`,
    access: "jwt",
    summary: "Stop the replies that are being made; what was said stays",
    params: byConversation,
    ok: z.object({ stopped: z.boolean() }),
  }),
  approve: route({
    method: "post",
    path: `${base}/:conversationId/approve`,
    access: "jwt",
    summary: "Decide on a tool call that waits; once all are decided the reply goes on, to be read at /stream",
    params: byConversation,
    body: z.object({
      toolCallId: z.string().max(300),
      decision: z.enum(["approve", "deny"]),
      arguments: z.record(z.string(), z.unknown()).optional(),
    }),
    ok: z.object({ messageId: z.uuid(), waiting: z.number().int() }),
  }),
};
