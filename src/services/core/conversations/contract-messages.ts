import { z } from "zod";
import { ReportedError, StoredFailure } from "../../../platform/http/reported-error.ts";
import { ToolOutcome, Visit, WaitsBecause } from "../../agent-loop/contract-events.ts";
import { AnsweredBy, Usage } from "../../completion/contract.ts";
import { NamedLabel } from "../../users/contract-judge-labels.ts";
import { ResearchState } from "../research/contract-state.ts";
import { NotFound, StoredSource } from "../sources/contract.ts";

/** A message of a conversation, as its readers see it. */
export const WaitingCalls = z
  .array(
    z.object({
      toolCallId: z.string(),
      name: z.string(),
      arguments: z.record(z.string(), z.unknown()),
      server: z.string().optional(),
      fingerprint: z.string().optional(),
      because: WaitsBecause.optional(),
      label: z.string().optional(),
      visit: Visit.optional(),
    }),
  )
  .describe("Calls that wait for a decision");

export const ConversationMessage = z.object({
  id: z.uuid(),
  conversationId: z.uuid(),
  parentId: z.uuid().nullable(),
  role: z.enum(["user", "assistant"]),
  content: z.string(),
  reasoning: z.string().describe("What the model thought before it answered"),
  status: z.enum(["streaming", "complete", "stopped", "failed"]),
  agentId: z.uuid().nullable(),
  agentVersion: z
    .number()
    .int()
    .nullable()
    .describe("The version of the agent that answered"),
  model: z.string().nullable().describe("The model that was asked"),
  answeredBy: AnsweredBy.nullish(),
  toolCalls: z.array(ToolOutcome),
  waiting: WaitingCalls,
  sources: z.array(StoredSource),
  notFound: NotFound.nullish().describe("Why the documents had nothing for this reply"),
  warnings: z
    .array(StoredFailure)
    .nullish()
    .describe("What the reply was made without, such as a page that could not be read"),
  labels: z
    .array(NamedLabel)
    .nullish()
    .describe("Of what the reply was made from; its conversation carries them on"),
  research: ResearchState.nullish().describe("Of a reply that researches: plan, budget"),
  canvases: z
    .array(z.object({ canvasId: z.uuid(), version: z.number().int(), title: z.string() }))
    .describe("Versions of canvases that the model wrote in this reply"),
  files: z.array(
    z.object({
      id: z.uuid(),
      fileName: z.string(),
      mimeType: z.string(),
      size: z.number(),
    }),
  ),
  usage: Usage.nullable(),
  reaction: z.enum(["like", "dislike"]).nullable().describe("The caller's reaction"),
  finishReason: z.string().nullable(),
  error: ReportedError.nullable(),
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
  documents: z
    .array(z.uuid())
    .describe("Attached documents, from which its replies are made"),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().optional(),
});
export type Conversation = z.output<typeof Conversation>;

export const WholeConversation = Conversation.extend({
  messages: z.array(ConversationMessage),
});
export type WholeConversation = z.output<typeof WholeConversation>;

/** With its place among the versions beside it. */
const ThreadMessage = ConversationMessage.extend({
  siblings: z
    .array(z.uuid())
    .describe(
      "Messages with the same parent, this one among them, the oldest first; 50 at most",
    ),
  position: z.number().int().describe("Its place among all siblings, from 0"),
  siblingCount: z.number().int(),
});

export const ThreadPage = z.object({
  items: z.array(ThreadMessage).describe("Part of one branch, the oldest first"),
  leaf: z
    .uuid()
    .nullable()
    .describe("The end of the branch; null: there is no message yet"),
  before: z
    .uuid()
    .nullable()
    .describe("Give it as `before` for the messages above; null: the thread begins here"),
});
export type ThreadPage = z.output<typeof ThreadPage>;
