import { z } from "zod";
import { int8 } from "../../platform/http/bounds.ts";
import { route } from "../../platform/http/route.ts";
import { Medium, OriginPattern, TypePattern } from "./contract-media.ts";

/** What a rule would match, while it is being written; nothing runs and nothing is stored. */

const MAX_MEDIA = 20;

export const RulePreview = z.object({
  ruleId: int8(1).nullable().default(null).describe("The stored rule that it replaces"),
  type: TypePattern,
  origin: OriginPattern.default("*"),
  media: z
    .array(Medium)
    .min(1)
    .max(MAX_MEDIA)
    .optional()
    .describe(`Default: the ${MAX_MEDIA} last media of the caller`),
});
export type RulePreview = z.output<typeof RulePreview>;

export const TypeMatch = z.enum(["type", "family", "any"]);

export const PreviewedMedium = z.object({
  runId: z
    .uuid()
    .nullable()
    .describe("The run that received it; null for media of the request"),
  filename: z.string(),
  mimeType: z.string(),
  origin: z.string(),
  path: z.string().nullable(),
  tags: z.array(z.string()),
  receivedAt: z.iso.datetime().nullable(),
  fits: z.boolean().describe("Whether both patterns match"),
  typeMatch: TypeMatch.nullable().describe(
    "What the type pattern names; null if it does not match",
  ),
  originMatch: z
    .string()
    .nullable()
    .describe("The origin pattern that matches; null if none does"),
  outcome: z
    .enum(["this_rule", "other_rule", "own_output", "no_rule"])
    .describe(
      "`own_output`: agents of this rule produced it, so the rule does not match it",
    ),
  rule: z
    .object({ id: z.number().int(), name: z.string() })
    .nullable()
    .describe("The other rule that gets it, because it is more specific or the only match"),
});
export type PreviewedMedium = z.output<typeof PreviewedMedium>;

const base = "/api/automations";

export const previewContract = {
  previewRule: route({
    method: "post",
    path: `${base}/preview`,
    access: "jwt",
    permission: "automation:read",
    changes: "none",
    summary: "Find the media that a rule would match, and why; the rule need not exist",
    body: RulePreview,
    ok: z.object({ items: z.array(PreviewedMedium) }),
  }),
  inspectMedium: route({
    method: "post",
    path: `${base}/media/inspect`,
    access: "jwt",
    permission: "automation:read",
    changes: "none",
    raw: true,
    upload: { as: ["multipart"] },
    summary: "Detect the type of a file; it is not kept",
    description: "multipart/form-data with `file`. The first 64 KiB are enough.",
    ok: z.object({ filename: z.string(), mimeType: z.string(), size: z.number().int() }),
  }),
};
