import { z } from "zod";

/** What people find wrong with an answer. */
export const REASONS = [
  "wrong",
  "incomplete",
  "not_my_documents",
  "not_followed",
  "too_long",
  "unsafe",
] as const;

export const Reaction = z.object({
  reaction: z.enum(["like", "dislike"]).nullable(),
  reasons: z
    .array(z.enum(REASONS))
    .max(REASONS.length)
    .describe("What was wrong with the answer; only with a dislike"),
  comment: z.string().max(4_000).nullable(),
});
export type Reaction = z.output<typeof Reaction>;

/** A reaction replaces the one before with all its parts. */
export const NewReaction = Reaction.extend({
  reasons: Reaction.shape.reasons.transform((reasons) => [...new Set(reasons)]).default([]),
  comment: Reaction.shape.comment.default(null),
});
