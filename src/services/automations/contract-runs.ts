import { z } from "zod";
import { int8Text } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { StoredFailure } from "../../platform/http/reported-error.ts";
import { Usage } from "../completion/contract.ts";

/** Media, and the runs of agents on them. See docs/automations.md. */

export const RunError = StoredFailure;
export type RunError = StoredFailure;

export const RunStatus = z.enum([
  "unmatched",
  "reading",
  "running",
  "completed",
  "failed",
  "cancelled",
]);
export type RunStatus = z.output<typeof RunStatus>;
export const StepStatus = z.enum([
  "waiting",
  "running",
  "approval",
  "completed",
  "failed",
  "skipped",
  "cancelled",
]);
export type StepStatus = z.output<typeof StepStatus>;

export const MediumFacts = z.object({
  filename: z.string(),
  mimeType: z.string().describe("Detected from the bytes"),
  size: z.number().int(),
  sha256: z.string(),
  path: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.string()),
});
export type MediumFacts = z.output<typeof MediumFacts>;

export const RunSummary = z.object({
  id: z.uuid(),
  status: RunStatus,
  ruleId: z
    .number()
    .int()
    .nullable()
    .describe("null: no rule matched, or a schedule started it"),
  name: z.string().describe("Name of the rule or schedule when the run started"),
  type: z.string(),
  origin: z.string(),
  sourceId: z.uuid().nullable(),
  scheduleId: z.uuid().nullable(),
  rerunOf: z.uuid().nullable(),
  medium: MediumFacts.nullable(),
  conversationId: z
    .uuid()
    .nullable()
    .describe("The conversation with the transcript; null until there is a transcript"),
  duration: z.number().nullable().describe("Seconds"),
  language: z.string().nullable().describe("ISO 639-1"),
  error: RunError.nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
});
export type RunSummary = z.output<typeof RunSummary>;

export const RunAgent = z.object({
  agentId: z.uuid(),
  priority: z.number().int(),
  dependsOn: z.array(z.uuid()),
  status: StepStatus,
  tries: z.number().int().describe("Attempts so far"),
  conversationId: z.uuid().nullable().describe("The conversation with the agent's reply"),
  messageId: z.uuid().nullable(),
  output: z.string().nullable(),
  usage: Usage.nullable(),
  error: RunError.nullable(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
});
export type RunAgent = z.output<typeof RunAgent>;

export const Run = RunSummary.extend({
  transcript: z.string().nullable(),
  agents: z.array(RunAgent),
});
export type Run = z.output<typeof Run>;

/** A run as the rule's creator sees it: whether and why it failed, without its medium. */
export const RuleRun = RunSummary.pick({
  id: true,
  status: true,
  error: true,
  createdAt: true,
  endedAt: true,
}).extend({
  agents: z.array(RunAgent.pick({ agentId: true, status: true, tries: true, error: true })),
});
export type RuleRun = z.output<typeof RuleRun>;

export const RunEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("run"), status: RunStatus, error: RunError.nullable() }),
  RunAgent.pick({
    agentId: true,
    status: true,
    tries: true,
    conversationId: true,
    output: true,
    error: true,
  }).extend({
    type: z.literal("agent"),
  }),
]);
export type RunEvent = z.output<typeof RunEvent>;

export const AcceptedMedium = z.object({
  runId: z.uuid(),
  ruleId: z.number().int().nullable(),
});
export type AcceptedMedium = z.output<typeof AcceptedMedium>;

/** The fields beside a medium, wherever it comes from. */
export const MediumFields = z.object({
  origin: z.string().trim().min(1).max(2_000).default("upload"),
  type: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("A type of your own, in addition to those of the bytes and the file name"),
  path: z.string().max(2_000).optional(),
  tags: z
    .string()
    .max(10_000)
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((tag) => tag.trim())
        .filter(Boolean),
    )
    .pipe(z.array(z.string().max(200)).max(50))
    .describe("Comma-separated"),
  metadata: z
    .string()
    .max(64 * 1024)
    .default("{}")
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: "must be JSON" });
        return z.NEVER;
      }
    })
    .pipe(
      z.record(
        z.string().max(100),
        z.union([z.string().max(1_000), z.number(), z.boolean()]).transform(String),
      ),
    )
    .refine((metadata) => Object.keys(metadata).length <= 50, "at most 50 entries")
    .describe("A JSON object of texts, numbers and booleans"),
  madeByRun: z
    .uuid()
    .optional()
    .describe("The run that produced it; its rule does not match it"),
});
export type MediumFields = z.output<typeof MediumFields>;

const byId = z.object({ id: z.uuid() });
const base = "/api/automations";

export const runsContract = {
  takeMedium: route({
    method: "post",
    path: `${base}/media`,
    access: ["jwt", "key"],
    permission: "automation:run",
    changes: "run",
    raw: true,
    upload: { as: ["multipart"], fields: MediumFields },
    headers: { "Idempotency-Key": "A repeated key returns the same run for 24 hours" },
    summary: "Submit a medium",
    description:
      "multipart/form-data: `origin`, `type`, `path`, `tags`, `metadata`, `madeByRun`, then " +
      "`file`. `ruleId` is null if no rule matches; then no agent runs. A repeated " +
      "`Idempotency-Key` returns the same run for 24 hours.",
    status: 202,
    ok: AcceptedMedium,
  }),
  listRuns: route({
    method: "get",
    path: `${base}/runs`,
    access: ["jwt", "key"],
    permission: "automation:read",
    summary: "List the caller's runs, newest first",
    query: pageQuery.extend({
      status: RunStatus.optional(),
      ruleId: int8Text(1).optional(),
      sourceId: z.uuid().optional(),
      scheduleId: z.uuid().optional(),
    }),
    ok: pageOf(RunSummary),
  }),
  getRun: route({
    method: "get",
    path: `${base}/runs/:id`,
    access: ["jwt", "key"],
    permission: "automation:read",
    summary: "Read a run with its transcript and each agent's state, attempts and output",
    params: byId,
    ok: Run,
  }),
  runEvents: route({
    method: "get",
    path: `${base}/runs/:id/events`,
    access: ["jwt", "key"],
    permission: "automation:read",
    summary: "Follow a run until it ends",
    params: byId,
    stream: "sse",
    endsAtShutdown: true,
    events: RunEvent,
  }),
  cancelRun: route({
    method: "post",
    path: `${base}/runs/:id/cancel`,
    access: ["jwt", "key"],
    permission: "automation:run",
    changes: "run/:id",
    summary: "Cancel a run; outputs so far stay. 409 if it has ended",
    params: byId,
    ok: Run,
  }),
  retryRun: route({
    method: "post",
    path: `${base}/runs/:id/retry`,
    access: ["jwt", "key"],
    permission: "automation:run",
    changes: "run/:id",
    summary:
      "Run the agents that did not complete again; outputs so far stay. 409 while it runs",
    params: byId,
    status: 202,
    ok: Run,
  }),
  rerun: route({
    method: "post",
    path: `${base}/runs/:id/rerun`,
    access: ["jwt", "key"],
    permission: "automation:run",
    changes: "run/:id",
    summary:
      "Run again, with the rule's current agents if the rule exists. 409 while it runs",
    params: byId,
    status: 202,
    ok: AcceptedMedium,
  }),
  removeRun: route({
    method: "delete",
    path: `${base}/runs/:id`,
    access: ["jwt", "key"],
    permission: "automation:delete",
    changes: "run/:id",
    summary: "Delete a run; its conversations stay. 409 while it runs",
    params: byId,
  }),
};
