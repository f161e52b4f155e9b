import { z } from "zod";
import { flagText } from "../../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";
import { NewReaction, Reaction } from "./contract-reactions.ts";
import { viewContextsContract } from "./contract-view-contexts.ts";
import { Conversation, ThreadPage, WholeConversation } from "./contract-messages.ts";

const TagName = z.string().trim().min(1).max(50);
const Search = pageQuery.extend({
  query: z.string().max(500).optional(),
  tags: z
    .string()
    .max(10_000)
    .transform((tags) =>
      tags
        .split(",")
        .map((tag) => tag.trim())
        .filter(Boolean),
    )
    .pipe(z.array(TagName).max(20))
    .optional()
    .describe("Comma-separated; conversations that have all of them"),
  sort: z
    .enum(["relevance", "updatedAt", "createdAt", "title"])
    .optional()
    .describe("Default: relevance with a query, else updatedAt"),
  order: z.enum(["asc", "desc"]).default("desc"),
});

const History = pageQuery.extend({
  cursor: z
    .string()
    .max(60)
    .regex(
      /^\d{1,17}_[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/,
      "must be `next` of a page",
    )
    .optional()
    .describe(
      "`next` of the last page, instead of `page`: repeats nothing when the list changes",
    ),
  pinned: flagText().optional().describe("Only those that are pinned, or are not"),
  agentId: z.uuid().optional().describe("Only those with this agent"),
  running: flagText().optional().describe("Only those with a reply being made, or without"),
  words: flagText().optional().describe("With the first words of their newest message"),
});

const TOO_LARGE = {
  413: "`conversation_too_large`: the messages do not fit into one answer.",
};

const ListedIds = z
  .string()
  .max(10_000)
  .transform((ids) => [...new Set(ids.split(",").map((id) => id.trim()))])
  .pipe(z.array(z.uuid()).min(1).max(100))
  .describe("Comma-separated");

const byMessage = z.object({ messageId: z.uuid() });
const byConversation = z.object({ conversationId: z.uuid() });
const base = "/api/v1/conversation";

export const conversationsContract = {
  ...viewContextsContract,
  chatHistory: route({
    method: "get",
    path: `${base}/chat-history`,
    access: "jwt",
    permission: "conversation:read",
    summary: "List the caller's conversations, last active first",
    query: History,
    ok: pageOf(
      Conversation.extend({
        running: z.boolean().describe("Whether a reply is being made"),
        words: z
          .string()
          .optional()
          .describe("Of its newest message that has a text, if asked for; Markdown, cut"),
      }),
    ).extend({
      next: z
        .string()
        .nullable()
        .describe("Give it as `cursor` for the next page; null: the end"),
    }),
  }),
  search: route({
    method: "get",
    path: `${base}/search`,
    access: "jwt",
    permission: "conversation:read",
    summary:
      "Search the caller's conversations by words of titles and messages, and by tags",
    query: Search,
    ok: pageOf(
      Conversation.extend({
        snippet: z.string().describe("HTML without markup but <mark>"),
        score: z.number(),
      }),
    ),
  }),
  tags: route({
    method: "get",
    path: `${base}/tags`,
    access: "jwt",
    permission: "conversation:read",
    summary: "List the caller's tags of conversations",
    query: pageQuery,
    ok: pageOf(z.object({ name: z.string(), conversations: z.number().int() })),
  }),
  trash: route({
    method: "get",
    path: `${base}/trash`,
    access: "jwt",
    permission: "conversation:read",
    summary: "List the caller's deleted conversations, which can still be restored",
    query: pageQuery,
    ok: pageOf(Conversation),
  }),
  purge: route({
    method: "delete",
    path: `${base}/trash/:conversationId`,
    access: "jwt",
    permission: "conversation:delete",
    changes: "conversation/:conversationId",
    summary: "Delete a conversation in the trash for good; its usage stays on record",
    params: z.object({ conversationId: z.uuid() }),
  }),
  getReaction: route({
    method: "get",
    path: `${base}/message-reaction/:messageId`,
    access: "jwt",
    permission: "conversation:read",
    summary: "Read the caller's reaction to a message",
    params: byMessage,
    ok: Reaction,
  }),
  setReaction: route({
    method: "post",
    path: `${base}/message-reaction/:messageId`,
    access: "jwt",
    permission: "conversation:update",
    changes: "conversation",
    summary:
      "Like or dislike a message, with reasons and a comment; null removes the reaction",
    params: byMessage,
    body: NewReaction,
    ok: Reaction,
  }),
  multiple: route({
    method: "get",
    path: `${base}/multiple`,
    access: "internal",
    permission: "conversation:read",
    summary:
      "Full conversations by several ids; absent ones and those of others are left out",
    failures: TOO_LARGE,
    query: z.object({ ids: ListedIds }),
    ok: z.array(WholeConversation),
  }),
  titles: route({
    method: "get",
    path: `${base}/titles`,
    access: "jwt",
    permission: "conversation:read",
    summary:
      "The titles of several conversations; those that the caller may not see are left out",
    query: z.object({ ids: ListedIds }),
    ok: z.array(Conversation.pick({ id: true, title: true, updatedAt: true })),
  }),
  get: route({
    method: "get",
    path: `${base}/:conversationId`,
    access: "jwt",
    permission: "conversation:read",
    summary: "Read a conversation with all messages",
    description:
      "`messages` is empty with `?messages=none`: read long threads page by page.",
    failures: TOO_LARGE,
    params: byConversation,
    query: z.object({ messages: z.enum(["all", "none"]).default("all") }),
    ok: WholeConversation,
  }),
  messages: route({
    method: "get",
    path: `${base}/:conversationId/messages`,
    access: "jwt",
    permission: "conversation:read",
    summary:
      "Read a branch of a conversation page by page, upwards from its newest message",
    description:
      "To switch the branch, give a sibling of a message as `leaf`. The branch goes on from there " +
      "with the newest message each time. A page of long messages has fewer than `limit`.",
    params: byConversation,
    query: z.object({
      leaf: z
        .uuid()
        .optional()
        .describe("Any message of the branch. Absent: the newest message"),
      before: z
        .uuid()
        .optional()
        .describe("`before` of the last page, with the same `leaf`"),
      limit: pageQuery.shape.limit,
    }),
    ok: ThreadPage,
  }),
  change: route({
    method: "patch",
    path: `${base}/:conversationId`,
    access: "jwt",
    permission: "conversation:update",
    changes: "conversation/:conversationId",
    summary: "Change title, pin or tags",
    params: byConversation,
    body: z
      .object({
        title: z.string().trim().min(1).max(300),
        pinned: z.boolean(),
        tags: z.array(TagName).max(20),
      })
      .partial(),
    ok: Conversation,
  }),
  remove: route({
    method: "delete",
    path: `${base}/:conversationId`,
    access: "jwt",
    permission: "conversation:delete",
    changes: "conversation/:conversationId",
    summary: "Move a conversation to the trash; its usage stays on record",
    params: byConversation,
  }),
  restore: route({
    method: "post",
    path: `${base}/:conversationId/restore`,
    access: "jwt",
    permission: "conversation:update",
    changes: "conversation/:conversationId",
    summary: "Restore a conversation from the trash",
    params: byConversation,
    ok: Conversation,
  }),
  export: route({
    method: "get",
    path: `${base}/:conversationId/export`,
    produces: ["text/markdown", "application/json"],
    access: "jwt",
    permission: "conversation:export",
    summary: "Export a conversation as a file",
    params: byConversation,
    query: z.object({ format: z.enum(["md", "json"]).default("md") }),
  }),
};
