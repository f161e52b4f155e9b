import { z } from "zod";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { MAX_BODY_BYTES, route } from "../../../platform/http/route.ts";
import { ErrorEvent, ReportedError } from "../../../platform/http/reported-error.ts";
import { TextChange } from "../contract-text-change.ts";

/** Grammar correction, translation and summaries. See docs/conversions.md. */

const Type = z.enum(["grammar", "translation", "summarisation"]);
const Options = z.object({
  tone: z.string().max(100).optional().describe("Such as formal or friendly"),
  length: z.enum(["short", "medium", "long"]).optional().describe("Length of a summary"),
});

export const NewConversion = z
  .object({
    type: Type,
    text: z.string().trim().min(1).max(2_000_000),
    targetLanguage: z
      .string()
      .trim()
      .min(2)
      .max(50)
      .optional()
      .describe("Language of the result, such as German or de"),
    options: Options.strict().default({}),
    model: z.string().max(300).optional(),
    stream: z.boolean().default(false),
  })
  .refine(
    ({ type, targetLanguage }) => type !== "translation" || targetLanguage !== undefined,
    {
      path: ["targetLanguage"],
      message: "a translation needs a target language",
    },
  );
export type NewConversion = z.output<typeof NewConversion>;

export const Conversion = z.object({
  id: z.uuid(),
  type: Type,
  input: z.string(),
  output: z.string(),
  targetLanguage: z.string().nullable(),
  options: Options,
  status: z.enum(["running", "complete", "stopped", "failed"]),
  model: z.string(),
  error: ReportedError.nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Conversion = z.output<typeof Conversion>;
const WithChanges = Conversion.extend({
  changes: z
    .array(TextChange)
    .optional()
    .describe("The changes of a grammar correction, word by word"),
});

export const ConversionEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("conversion"), id: z.uuid() }),
  z.object({ type: z.literal("progress"), done: z.number().int(), of: z.number().int() }),
  z.object({ type: z.literal("text_delta"), delta: z.string() }),
  z.object({ type: z.literal("done"), conversion: WithChanges }),
  ErrorEvent,
]);
export type ConversionEvent = z.output<typeof ConversionEvent>;

const byId = z.object({ id: z.uuid() });
const base = "/api/v1/conversion";

export const conversionsContract = {
  convert: route({
    method: "post",
    path: base,
    access: "jwt",
    permission: "conversion:create",
    changes: "conversion",
    summary: "Correct, translate or sum up a text, however long",
    body: NewConversion,
    maxBody: MAX_BODY_BYTES,
    ok: WithChanges,
    stream: "sse",
    events: ConversionEvent,
  }),
  listConversions: route({
    method: "get",
    path: base,
    access: "jwt",
    permission: "conversion:read",
    summary: "List the caller's conversions, newest first",
    query: pageQuery.extend({
      type: Type.optional(),
      query: z
        .string()
        .max(200)
        .optional()
        .describe("In the first 10,000 characters of the text or of the result"),
      texts: z
        .enum(["whole", "short"])
        .default("whole")
        .describe("`short`: the first 200 characters of the text and of the result"),
    }),
    ok: pageOf(Conversion),
  }),
  deleteConversions: route({
    method: "delete",
    path: `${base}/bulk`,
    access: "jwt",
    permission: "conversion:delete",
    changes: "conversion",
    summary: "Delete several, each with its own outcome",
    body: z.object({ ids: z.array(z.uuid()).min(1).max(100) }),
    ok: z.object({
      results: z.array(
        ReportedError.partial().extend({ id: z.string(), success: z.boolean() }),
      ),
    }),
  }),
  getConversion: route({
    method: "get",
    path: `${base}/:id`,
    access: "jwt",
    permission: "conversion:read",
    summary: "Read a conversion",
    params: byId,
    ok: WithChanges,
  }),
  changeConversion: route({
    method: "patch",
    path: `${base}/:id`,
    access: "jwt",
    permission: "conversion:update",
    changes: "conversion/:id",
    summary: "Replace the output of a conversion",
    params: byId,
    body: z.object({ output: z.string().max(4_000_000) }),
    maxBody: MAX_BODY_BYTES,
    ok: WithChanges,
  }),
};
