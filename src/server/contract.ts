import { z } from "zod";
import { pageOf, pageQuery } from "../platform/http/page.ts";
import { route } from "../platform/http/route.ts";

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
    }),
  ),
});

const Readiness = Health.pick({ checks: true }).extend({ status: z.enum(["ok", "down"]) });

const DeadLetter = z.object({
  id: z.string(),
  data: z.unknown().describe("The message"),
  error: z.string().describe("Why it failed the last time"),
  tries: z.number().int(),
  diedAt: z.string(),
});
const byQueue = z.object({ name: z.string().min(1).max(200) });

/**
 * What every process answers, once for all the services in it. Source: design "Everywhere", health.
 */
export const serverContract = {
  health: route({
    method: "get",
    path: "/api/v1/health",
    access: "public",
    summary: "Health of each part",
    ok: Health,
  }),
  healthPlain: route({
    method: "get",
    path: "/health",
    access: "public",
    summary: "Health of each part",
    ok: Health,
  }),
  liveness: route({
    method: "get",
    path: "/healthz",
    access: "public",
    summary: "Alive; asks no dependency",
    ok: z.object({ status: z.literal("ok") }),
  }),
  readiness: route({
    method: "get",
    path: "/readyz",
    access: "public",
    summary: "Ready for requests",
    ok: Readiness,
    failures: { 503: "A needed part is down, or the process shuts down." },
    errorSchema: Readiness,
  }),
  queues: route({
    method: "get",
    path: "/api/v1/queues",
    access: "operator",
    permission: "queue:administer",
    summary:
      "The queues that this process takes messages from, and how many messages of each have failed for good",
    ok: z.object({
      queues: z.array(z.object({ name: z.string(), deadLetters: z.number().int() })),
    }),
  }),
  deadLetters: route({
    method: "get",
    path: "/api/v1/queues/:name/dead-letters",
    access: "operator",
    permission: "queue:administer",
    summary: "Messages that failed for good, with the reason",
    params: byQueue,
    query: pageQuery,
    ok: pageOf(DeadLetter),
  }),
  retryDeadLetters: route({
    method: "post",
    path: "/api/v1/queues/:name/dead-letters/retry",
    access: "operator",
    permission: "queue:administer",
    summary: "Put messages that failed for good back to work, all or those that are named",
    params: byQueue,
    body: z.object({ ids: z.array(z.string().min(1).max(200)).min(1).max(1_000).optional() }),
    ok: z.object({ retried: z.number().int() }),
  }),
  metrics: route({
    method: "get",
    path: "/metrics",
    access: "public",
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
    summary: "This API to read",
    raw: true,
    hidden: true,
  }),
};
