import { z } from "zod";
import { limitKeys } from "../../platform/http/bounds.ts";

/** Media, and the patterns of rules that match them. See docs/automations.md. */

const Pattern = z
  .string()
  .trim()
  .min(1)
  .max(500)
  // as a pattern of the OpenAPI document it would be read without Unicode, or not at all
  .refine((pattern) => !/\p{C}/u.test(pattern), "no control characters");
/** A pattern, or a list of patterns. */
const Patterns = z.union([
  Pattern,
  z
    .array(Pattern)
    .min(1)
    .max(50)
    .transform((list) => list.join(","))
    .pipe(Pattern),
]);
export const TypePattern = Patterns.describe(
  "`audio`, `audio/mpeg`, `mp3`, `audio/*`, `*`, or a comma-separated list of these",
);
/** Wildcards in all alternatives together. */
const MAX_WILDCARDS = 50;
export const OriginPattern = Patterns.refine(
  (text) => (text.match(/\*+|\?/g) ?? []).length <= MAX_WILDCARDS,
  `at most ${MAX_WILDCARDS} wildcards`,
).describe(
  "Literal, or with `?` (one character), `*` (any text without a slash) and `**` (any text), " +
    "or a comma-separated list of these",
);

export const Medium = z.object({
  type: z
    .string()
    .max(200)
    .optional()
    .describe("MIME type, such as audio/mpeg, or a type of your own"),
  mimeType: z
    .string()
    .max(200)
    .optional()
    .describe("MIME type of the bytes, if `type` is a type of your own"),
  filename: z.string().max(1_000).optional(),
  origin: z.string().max(2_000).optional(),
  path: z.string().max(2_000).optional().describe("Its path at its origin"),
  tags: z.array(z.string().max(200)).max(50).default([]),
  metadata: limitKeys(z.record(z.string().max(100), z.string().max(1_000)), 50)
    .default({})
    .describe("Origin patterns also match each entry as `key=value`"),
});
export type Medium = z.output<typeof Medium>;
