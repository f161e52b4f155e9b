import { z } from "zod";
import { storableTime } from "../../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";
import { REASONS, Reaction } from "../conversations/contract-reactions.ts";

/** What people think of answers, for administrators. See docs/conversations.md. */

const Feedback = Reaction.extend({
  reaction: z.enum(["like", "dislike"]),
  at: z.iso.datetime().describe("When it was given, or changed"),
  userId: z.string(),
  userName: z
    .string()
    .nullable()
    .describe("null for users outside the caller's organisation"),
  model: z.string().nullable().describe("That answered, as `provider/model`"),
  agentId: z.uuid().nullable().describe("That answered"),
  agentName: z
    .string()
    .nullable()
    .describe("null for agents outside the caller's organisation"),
  messageId: z.uuid(),
  conversationId: z
    .uuid()
    .nullable()
    .describe("null unless the caller may read the conversation"),
});
export type Feedback = z.output<typeof Feedback>;

const Filter = z.object({
  reaction: z.enum(["like", "dislike"]).optional(),
  reason: z
    .enum(REASONS)
    .optional()
    .describe("Only with this reason, perhaps among others"),
  model: z.string().min(1).max(400).optional().describe("As `provider/model`"),
  agentId: z.uuid().optional(),
  from: storableTime().optional(),
  to: storableTime().optional().describe("Exclusive"),
});
export type FeedbackFilter = z.output<typeof Filter>;

const base = "/api/v1/feedback";

export const feedbackContract = {
  listFeedback: route({
    method: "get",
    path: base,
    access: "admin",
    permission: "audit:administer",
    summary: "List what people of the organisation think of answers, the newest first",
    description: "The answers themselves are only for those who may read the conversation.",
    query: pageQuery.extend(Filter.shape),
    ok: pageOf(Feedback),
  }),
  exportFeedback: route({
    method: "get",
    path: `${base}/export`,
    produces: ["text/csv"],
    access: "admin",
    permission: "audit:administer",
    summary: "Export what people of the organisation think of answers as CSV",
    query: Filter,
  }),
};
