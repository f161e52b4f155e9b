import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { StoredFailure } from "../../platform/http/reported-error.ts";
import { AcceptedMedium } from "./contract-runs.ts";

/** Watched sources of media: a folder, a bucket, or a signed webhook. See docs/automations.md. */

const IntervalSeconds = z
  .number()
  .int()
  .min(1)
  .max(86_400)
  .default(30)
  .describe("Seconds between two checks");
const FolderSettings = z.object({
  path: z.string().min(1).max(1_000).describe("A folder inside AUTOMATION_FOLDERS"),
  every: IntervalSeconds,
});
const BucketSettings = z.object({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .describe("For example https://s3.eu-central-1.amazonaws.com"),
  region: z.string().min(1).max(100).default("us-east-1"),
  bucket: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\w.-]+$/, "letters, digits, dots, dashes"),
  prefix: z.string().max(1_000).default(""),
  accessKeyId: z.string().min(1).max(200),
  every: IntervalSeconds,
});
const secretKey = z.string().min(1).max(500);
const Common = z.object({
  name: z.string().trim().min(1).max(200),
  origin: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .describe("Origin of its media. Default: `<kind>/<name>`"),
  type: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .nullable()
    .describe("A type of its media, in addition to those of the bytes and the file name"),
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
  // an unknown setting may be a misspelt one
  NewCommon.extend({ kind: z.literal("folder"), settings: FolderSettings.strict() }),
  NewCommon.extend({
    kind: z.literal("s3"),
    settings: BucketSettings.extend({ secretAccessKey: secretKey }).strict(),
  }),
  NewCommon.extend({ kind: z.literal("webhook") }),
]);
export type NewSource = z.output<typeof NewSource>;

/** The settings of each kind, without its secret. */
export type SourceSettings =
  | ({ kind: "folder" } & z.output<typeof FolderSettings>)
  | ({ kind: "s3" } & z.output<typeof BucketSettings>)
  | { kind: "webhook" };

const CommonSource = Common.extend({
  id: z.uuid(),
  error: StoredFailure.nullable().describe("Why the last check failed"),
  lookedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
const Webhook = CommonSource.extend({
  kind: z.literal("webhook"),
  url: z.string().describe("The URL to send media to"),
});
export const Source = z.discriminatedUnion("kind", [
  CommonSource.extend({ kind: z.literal("folder"), settings: FolderSettings }),
  CommonSource.extend({
    kind: z.literal("s3"),
    settings: BucketSettings.extend({ secretAccessKey: z.literal("•••") }),
  }),
  Webhook,
]);
export type Source = z.output<typeof Source>;

export const SourceItem = z.object({
  key: z.string().describe("Its path inside the source"),
  state: z.enum(["seen", "taken", "refused"]).describe("`seen`: the file may still change"),
  runId: z.uuid().nullable(),
  error: StoredFailure.nullable(),
  seenAt: z.iso.datetime(),
});
export type SourceItem = z.output<typeof SourceItem>;

const secret = z
  .string()
  .optional()
  .describe("Secret of a webhook, `whsec_…`; only this response contains it");
const CreatedSource = z.discriminatedUnion("kind", [
  Source.options[0],
  Source.options[1],
  Webhook.extend({ secret }),
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
    summary: "List the caller's watched sources",
    query: pageQuery,
    ok: pageOf(Source),
  }),
  createSource: route({
    method: "post",
    path: base,
    changes: "automation",
    access,
    permission: "automation:create",
    summary: "Watch a folder (administrators only) or a bucket, or create a webhook",
    description: "Only this response contains the secret of a webhook.",
    body: NewSource,
    status: 201,
    ok: CreatedSource,
  }),
  getSource: route({
    method: "get",
    path: `${base}/:id`,
    access,
    permission: "automation:read",
    summary: "Read a source",
    params: byId,
    ok: Source,
  }),
  changeSource: route({
    method: "patch",
    path: `${base}/:id`,
    changes: "automation/:id",
    access,
    permission: "automation:update",
    summary: "Change a source's name, origin, type or tags, or activate or deactivate it",
    params: byId,
    // its settings stay: a change of them is refused, not dropped
    body: Common.partial().strict(),
    ok: Source,
  }),
  removeSource: route({
    method: "delete",
    path: `${base}/:id`,
    changes: "automation/:id",
    access,
    permission: "automation:delete",
    summary: "Delete a source; its runs stay",
    params: byId,
  }),
  listSourceItems: route({
    method: "get",
    path: `${base}/:id/items`,
    access,
    permission: "automation:read",
    summary: "List the files found in a folder or bucket and their results, newest first",
    params: byId,
    query: pageQuery.extend({ state: SourceItem.shape.state.optional() }),
    ok: pageOf(SourceItem),
  }),
  renewSecret: route({
    method: "post",
    path: `${base}/:id/secret`,
    changes: "automation/:id",
    access,
    permission: "automation:update",
    summary: "Replace the secret of a webhook; the old secret stops working at once",
    params: byId,
    ok: z.object({ secret: z.string() }),
  }),
  hook: route({
    method: "post",
    path: "/api/automations/hooks/:id",
    access: "public",
    changes: "none",
    raw: true,
    upload: { as: ["bytes"] },
    headers: {
      "webhook-id": "Id of the message; a repeated id returns the same run",
      "webhook-timestamp": "Seconds since 1970",
      "webhook-signature": "`v1,` and the HMAC-SHA256 of id, timestamp and body in base64",
    },
    summary: "Submit a medium as the body, signed as Standard Webhooks defines",
    params: byId,
    status: 202,
    ok: AcceptedMedium,
  }),
};
