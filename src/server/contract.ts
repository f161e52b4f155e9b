import { z } from "zod";
import { CHANGED_TYPES } from "../platform/changes/contract-changes.ts";
import { pageOf, pageQuery } from "../platform/http/page.ts";
import { SentenceCode } from "../platform/http/reported-error.ts";
import { route } from "../platform/http/route.ts";

/** Whoever was away for longer says this. */
const MAX_UNSEEN_MS = 86_400_000;

const Job = z.object({
  service: z.string(),
  name: z.string(),
  replicas: z
    .enum(["each", "one"])
    .describe("`each`: every process runs it; `one`: one process at a time, under a lease"),
  intervalMs: z.number().describe("From the end of one run to the start of the next"),
  status: z.enum(["ok", "failed", "waiting"]).describe("Of the last run in its process"),
  runs: z.number().int().describe("Since its process started"),
  failures: z.number().int(),
  lastRunAt: z.string().nullable(),
  lastDurationMs: z.number().nullable(),
});

const Health = z.object({
  status: z.enum(["ok", "degraded", "down"]),
  services: z.array(z.string()),
  version: z.string(),
  uptime: z.number().describe("Seconds since start"),
  checks: z.record(
    z.string(),
    z.object({
      status: z.enum(["ok", "degraded", "down"]),
      latencyMs: z.number(),
      detail: z.string().optional(),
      ...SentenceCode.shape,
    }),
  ),
  jobs: z
    .array(Job)
    .describe(
      "Background jobs, with their runs in this process or, for services that run apart, in the " +
        "replica that answered",
    ),
  unreachable: z
    .array(z.string())
    .describe("Services in other processes that did not answer: their jobs are not listed"),
});

export type Health = z.output<typeof Health>;

/** What anybody may know. */
const Brief = z.object({ status: z.enum(["ok", "down"]) });

const Readiness = Brief.extend({ checks: Health.shape.checks.optional() });

/** Strangers read that it runs; who runs it, how. */
const observed = {
  method: "get",
  access: ["public", "local", "service-secret", "admin"],
  permission: "queue:administer",
  description:
    "Others than administrators and services read the status alone where PORT is reached from " +
    "outside.",
} as const;

const DeadLetter = z.object({
  id: z.string(),
  data: z.unknown().describe("The message"),
  error: z.string().describe("Why the last attempt failed"),
  ...SentenceCode.shape,
  tries: z.number().int(),
  diedAt: z.string(),
});
const byQueue = z.object({ name: z.string().min(1).max(200) });

const Changed = z.object({
  id: z.string().nullable().describe("null: anything of this kind, such as a list"),
});
const BrowserEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }).describe("Changes are sent from now on"),
  z
    .object({ type: z.literal("resync") })
    .describe("Changes may have been lost: read everything that is shown again"),
  Changed.extend({ type: z.enum(CHANGED_TYPES) }).describe("It has changed: read it again"),
]);
export type BrowserEvent = z.output<typeof BrowserEvent>;

/** The routes that every process has, once for all its services. */
export const serverContract = {
  health: route({
    ...observed,
    path: "/api/v1/health",
    summary: "Health of each part, and the background jobs",
    ok: z.union([Health, Brief]),
  }),
  healthPlain: route({
    ...observed,
    path: "/health",
    summary: "Health of each part, and the background jobs",
    ok: z.union([Health, Brief]),
  }),
  liveness: route({
    method: "get",
    path: "/healthz",
    access: "public",
    summary: "Whether the process is alive; checks no dependency",
    ok: z.object({ status: z.literal("ok") }),
  }),
  readiness: route({
    ...observed,
    path: "/readyz",
    summary: "Whether the process is ready for requests",
    ok: Readiness,
    failures: { 503: "A required part is down, or the process is shutting down." },
    errorSchema: Readiness,
  }),
  jobs: route({
    method: "get",
    path: "/background-jobs",
    access: "service-secret",
    summary: "The background jobs of this process alone, for the health of another one",
    ok: z.object({ jobs: z.array(Job) }),
  }),
  events: route({
    method: "get",
    path: "/api/v1/events",
    access: "jwt",
    permission: "signed-in",
    summary: "Follow what changes for the caller, to read it again",
    description:
      "One connection is enough for a browser, whatever it shows. Changes may be lost; after a " +
      "reconnection with `Last-Event-ID` the first event is `resync`.",
    headers: { "Last-Event-ID": "Sent by browsers that connect again" },
    query: z.object({
      unseenForMs: z.coerce
        .number()
        .int()
        .min(0)
        .max(MAX_UNSEEN_MS)
        .default(0)
        .describe(
          "For how long the client has shown data without a connection. Where something may have " +
            "changed in that time, the first event is `resync`",
        ),
    }),
    stream: "sse",
    streamLimit: 50,
    endsAtShutdown: true,
    events: BrowserEvent,
  }),
  queues: route({
    method: "get",
    path: "/api/v1/queues",
    access: "operator",
    permission: "queue:administer",
    summary: "Queues of the installation, with the messages that wait and the dead letters",
    ok: z.object({
      queues: z.array(
        z.object({
          name: z.string(),
          waiting: z
            .number()
            .int()
            .describe(
              "Not done; on RabbitMQ without those that wait for a retry or are in work",
            ),
          deadLetters: z.number().int(),
        }),
      ),
    }),
  }),
  deadLetters: route({
    method: "get",
    path: "/api/v1/queues/:name/dead-letters",
    access: "operator",
    permission: "queue:administer",
    summary:
      "Dead letters of a queue: messages that failed on every attempt, with the last error",
    params: byQueue,
    query: pageQuery,
    ok: pageOf(DeadLetter),
  }),
  retryDeadLetters: route({
    method: "post",
    path: "/api/v1/queues/:name/dead-letters/retry",
    access: "operator",
    permission: "queue:administer",
    changes: "queue/:name",
    summary: "Retry dead letters: all of the queue, or those with the given ids",
    params: byQueue,
    body: z.object({
      ids: z.array(z.string().min(1).max(200)).min(1).max(1_000).optional(),
    }),
    ok: z.object({ retried: z.number().int() }),
  }),
  discardDeadLetters: route({
    method: "delete",
    path: "/api/v1/queues/:name/dead-letters",
    access: "operator",
    permission: "queue:administer",
    changes: "queue/:name",
    summary: "Delete dead letters: all of the queue, or those with the given ids",
    params: byQueue,
    query: z.object({
      ids: z
        .string()
        .min(1)
        .max(20_000)
        .transform((ids) => ids.split(","))
        .pipe(z.array(z.string().min(1).max(200)).max(100))
        .optional()
        .describe("Separated by commas; at most 100"),
    }),
    ok: z.object({ discarded: z.number().int() }),
  }),
  metrics: route({
    method: "get",
    path: "/metrics",
    access: ["local", "service-secret", "admin"],
    permission: "queue:administer",
    summary: "Prometheus metrics",
    produces: ["text/plain"],
  }),
  openApi: route({
    method: "get",
    path: "/openapi.json",
    access: "public",
    summary: "This API as OpenAPI 3.1",
    ok: z.looseObject({ openapi: z.string() }),
  }),
  docs: route({
    method: "get",
    path: "/docs",
    access: "public",
    summary: "This API as an HTML page",
    raw: true,
    hidden: true,
  }),
};
