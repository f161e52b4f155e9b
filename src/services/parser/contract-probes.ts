import { z } from "zod";
import { SentenceCode } from "../../platform/http/reported-error.ts";
import { route } from "../../platform/http/route.ts";

/** What orchestrators and load balancers ask the parser. */

export const Status = z.enum(["ok", "degraded", "down"]);
export const Part = z.object({
  status: z.enum(["ok", "degraded", "down", "absent"]),
  latencyMs: z.number().optional(),
  detail: z.string().optional(),
  ...SentenceCode.shape,
});
const Ready = z.object({ status: Status, checks: z.record(z.string(), Part) });
const Detailed = Ready.extend({
  backends: z.record(z.string(), Part),
  processes: z.object({
    most: z.number().int(),
    started: z.number().int(),
    busy: z.number().int(),
    waiting: z.number().int(),
  }),
});

const probe = {
  method: "get",
  access: "public",
  ok: z.object({ status: z.literal("ok") }),
} as const;
/** Strangers read the status alone where PORT is reached from outside. */
const readiness = {
  method: "get",
  access: ["public", "local", "service-secret", "admin"],
  permission: "queue:administer",
  ok: z.union([Ready, z.object({ status: z.enum(["ok", "down"]) })]),
} as const;

export const probesContract = {
  // a path that ends with a slash, which documents of OpenAPI should not have
  probeHealth: route({ ...probe, path: "/health/", summary: "Liveness", hidden: true }),
  probeHealthz: route({
    ...probe,
    path: "/health/healthz",
    summary: "Liveness",
  }),
  probeLiveness: route({
    ...probe,
    path: "/health/liveness",
    summary: "Liveness; checks no dependency",
  }),
  probeReadiness: route({
    ...readiness,
    path: "/health/readiness",
    summary: "Readiness of memory, disk, parsers and queue; 503 when one is down",
  }),
  probeReadyz: route({
    ...readiness,
    path: "/health/readyz",
    summary: "The same as /health/readiness",
  }),
  probeDetailed: route({
    ...readiness,
    path: "/health/detailed",
    summary: "Readiness with the status of every backend",
    ok: z.union([Detailed, z.object({ status: z.enum(["ok", "down"]) })]),
  }),
};
