import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Taken } from "./contract-runs.ts";

/**
 * Where media come from by themselves: a folder, a bucket, or whoever holds a webhook's secret.
 * Source: issue "Automations", watched sources.
 */

const Every = z.number().int().min(1).max(86_400).default(30).describe("Seconds between two looks");
const FolderSettings = z.object({
  path: z.string().min(1).max(1_000).describe("Within one of AUTOMATION_FOLDERS"),
  every: Every,
});
const BucketSettings = z.object({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .describe("Such as https://s3.eu-central-1.amazonaws.com"),
  region: z.string().min(1).max(100).default("us-east-1"),
  bucket: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\w.-]+$/, "letters, digits, dots, dashes"),
  prefix: z.string().max(1_000).default(""),
  accessKeyId: z.string().min(1).max(200),
  every: Every,
});
const secretKey = z.string().min(1).max(500);
const Common = z.object({
  name: z.string().trim().min(1).max(200),
  origin: z.string().trim().min(1).max(2_000).describe("Of its media. Default: `<kind>/<name>`"),
  type: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .nullable()
    .describe("A type of its media, besides those of bytes and name"),
  tags: z.array(z.string().trim().min(1).max(200)).max(50),
  isActive: z.boolean(),
});
const NewCommon = Common.extend({
  origin: Common.shape.origin.optional(),
  type: Common.shape.type.default(null),
  tags: Common.shape.tags.default([]),
  isActive: Common.shape.isActive.default(true),
});

export const NewSource = z.discriminatedUnion("kind", [
  NewCommon.extend({ kind: z.literal("folder"), settings: FolderSettings }),
  NewCommon.extend({
    kind: z.literal("s3"),
    settings: BucketSettings.extend({ secretAccessKey: secretKey }),
  }),
  NewCommon.extend({ kind: z.literal("webhook") }),
]);
export type NewSource = z.output<typeof NewSource>;

/** What is known of each kind besides its secret. */
export type SourceSettings =
  | ({ kind: "folder" } & z.output<typeof FolderSettings>)
  | ({ kind: "s3" } & z.output<typeof BucketSettings>)
  | { kind: "webhook" };

const shown = Common.extend({
  id: z.uuid(),
  error: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe("Why the last look came to nothing"),
  lookedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
const Hook = shown.extend({
  kind: z.literal("webhook"),
  url: z.string().describe("Where to send to"),
});
export const Source = z.discriminatedUnion("kind", [
  shown.extend({ kind: z.literal("folder"), settings: FolderSettings }),
  shown.extend({
    kind: z.literal("s3"),
    settings: BucketSettings.extend({ secretAccessKey: z.literal("•••") }),
  }),
  Hook,
]);
export type Source = z.output<typeof Source>;

export const SourceItem = z.object({
  key: z.string().describe("Its place within the source"),
  state: z.enum(["seen", "taken", "refused"]).describe("`seen`: it may still be written to"),
  runId: z.uuid().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  seenAt: z.iso.datetime(),
});
export type SourceItem = z.output<typeof SourceItem>;

const secret = z.string().optional().describe("Of a webhook, this once: `whsec_…`");
const MadeSource = z.discriminatedUnion("kind", [
  Source.options[0],
  Source.options[1],
  Hook.extend({ secret }),
]);

const byId = z.object({ id: z.uuid() });
const base = "/api/automations/sources";
const access = ["jwt", "key"] as const;

export const sourcesContract = {
  listSources: route({
    method: "get",
    path: base,
    access,
    permission: "automation:read",
    summary: "Own watched sources",
    query: pageQuery,
    ok: pageOf(Source),
  }),
  createSource: route({
    method: "post",
    path: base,
    access,
    permission: "automation:create",
    summary:
      "Watch a folder (administrators) or a bucket, or make a webhook, whose secret is shown this once",
    body: NewSource,
    status: 201,
    ok: MadeSource,
  }),
  getSource: route({
    method: "get",
    path: `${base}/:id`,
    access,
    permission: "automation:read",
    summary: "One source",
    params: byId,
    ok: Source,
  }),
  changeSource: route({
    method: "patch",
    path: `${base}/:id`,
    access,
    permission: "automation:update",
    summary: "Change a source's name, origin, type, tags, or whether it is active",
    params: byId,
    body: Common.partial(),
    ok: Source,
  }),
  removeSource: route({
    method: "delete",
    path: `${base}/:id`,
    access,
    permission: "automation:delete",
    summary: "Watch a source no more; its runs stay",
    params: byId,
  }),
  listSourceItems: route({
    method: "get",
    path: `${base}/:id/items`,
    access,
    permission: "automation:read",
    summary: "What was found in a folder or a bucket and what became of it, the last first",
    params: byId,
    query: pageQuery.extend({ state: SourceItem.shape.state.optional() }),
    ok: pageOf(SourceItem),
  }),
  renewSecret: route({
    method: "post",
    path: `${base}/:id/secret`,
    access,
    permission: "automation:update",
    summary: "Give a webhook a new secret, shown this once; the old one opens nothing any more",
    params: byId,
    ok: z.object({ secret: z.string() }),
  }),
  hook: route({
    method: "post",
    path: "/api/automations/hooks/:id",
    access: "public",
    raw: true,
    upload: { as: ["bytes"] },
    headers: {
      "webhook-id": "A name of the message; again is the same run",
      "webhook-timestamp": "Seconds since 1970",
      "webhook-signature": "`v1,` and the HMAC-SHA256 of id, timestamp and body in base64",
    },
    summary: "Take a medium (the body) from whoever signs it by Standard Webhooks",
    params: byId,
    status: 202,
    ok: Taken,
  }),
};
