import { z } from "zod";
import { route } from "../platform/http/route.ts";

const Health = z.object({
  status: z.enum(["ok", "degraded", "down"]),
  services: z.array(z.string()),
  version: z.string(),
  uptime: z.number().describe("Seconds since start"),
  checks: z.record(
    z.string(),
    z.object({ status: z.enum(["ok", "degraded", "down"]), latencyMs: z.number(), detail: z.string().optional() }),
  ),
});

/** What every process answers, once for all the services in it. Source: design "Everywhere", health. */
export const houseContract = {
  health: route({ method: "get", path: "/api/v1/health", access: "public", summary: "Health of each part", ok: Health }),
  healthPlain: route({
    method: "get",
    path: "/health",
    access: "public",
    summary: "Health of each part",
    ok: Health,
    hidden: true,
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
    summary: "Ready for requests; 503 when a needed part is down or the process shuts down",
    raw: true,
  }),
  metrics: route({ method: "get", path: "/metrics", access: "public", summary: "Prometheus metrics", raw: true }),
  openApi: route({ method: "get", path: "/openapi.json", access: "public", summary: "This API as OpenAPI 3.1", raw: true }),
  docs: route({ method: "get", path: "/docs", access: "public", summary: "This API to read", raw: true, hidden: true }),
};
