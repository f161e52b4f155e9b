import { z } from "zod";
import { bodyText, limitKeys } from "../../../../platform/http/bounds.ts";
import { route } from "../../../../platform/http/route.ts";
import { errorBody, OpenAiError, statusOf } from "../contract-errors.ts";

/** OpenAI's conversations (OpenAI API reference, conversations): they are those of the web app. */

export const ConversationId = z
  .string()
  .max(40)
  .regex(/^conv_[0-9a-f]{32}$/, "an id as POST /v1/conversations gives one");
export const Metadata = limitKeys(z.record(z.string().max(64), z.string().max(512)), 16);

const FirstItem = z.object({
  type: z.literal("message").nullish(),
  role: z.enum(["user", "assistant", "system", "developer"]),
  content: z.union([
    bodyText(),
    z
      .array(
        z.object({ type: z.enum(["input_text", "output_text", "text"]), text: bodyText() }),
      )
      .min(1)
      .max(1_000),
  ]),
});
export type FirstItem = z.output<typeof FirstItem>;

const View = z.object({
  id: z.string(),
  object: z.literal("conversation"),
  created_at: z.number().int(),
  metadata: z.record(z.string(), z.string()),
});
const Item = z.object({
  id: z.string(),
  type: z.literal("message"),
  role: z.enum(["user", "assistant"]),
  status: z.enum(["in_progress", "completed", "incomplete"]),
  content: z.array(
    z.object({
      type: z.enum(["input_text", "output_text"]),
      text: z.string(),
      annotations: z.array(z.unknown()).max(0).optional(),
    }),
  ),
});
export type ConversationItem = z.output<typeof Item>;

const shared = {
  access: ["key", "jwt"],
  errorSchema: OpenAiError,
  errorBody,
  statusOf,
} as const;
const byId = {
  ...shared,
  params: z.object({ conversation: ConversationId }),
} as const;

export const openAiConversationsContract = {
  createOpenAiConversation: route({
    ...shared,
    method: "post",
    path: "/v1/conversations",
    permission: "conversation:create",
    changes: "conversation",
    summary: "Begin a conversation, for responses that name it",
    body: z.object({
      metadata: Metadata.nullish().describe("`title` is its title; the rest is not kept"),
      items: z
        .array(FirstItem)
        .max(20)
        .nullish()
        .describe("Messages that it begins with: of the user and answers to them, as text"),
    }),
    ok: View,
  }),
  readOpenAiConversation: route({
    ...byId,
    method: "get",
    path: "/v1/conversations/:conversation",
    permission: "conversation:read",
    summary: "Read a conversation that you may see",
    ok: View,
  }),
  deleteOpenAiConversation: route({
    ...byId,
    method: "delete",
    path: "/v1/conversations/:conversation",
    permission: "conversation:delete",
    changes: "conversation",
    summary: "Move a conversation of your own to the trash",
    ok: z.object({
      id: z.string(),
      object: z.literal("conversation.deleted"),
      deleted: z.literal(true),
    }),
  }),
  listOpenAiConversationItems: route({
    ...byId,
    method: "get",
    path: "/v1/conversations/:conversation/items",
    permission: "conversation:read",
    summary: "List the messages of a conversation, along its newest branch",
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      order: z.enum(["asc", "desc"]).default("desc"),
      after: z.string().max(100).optional().describe("The id of the last item before"),
    }),
    ok: z.object({
      object: z.literal("list"),
      data: z.array(Item),
      first_id: z.string().nullable(),
      last_id: z.string().nullable(),
      has_more: z.boolean(),
    }),
  }),
};
