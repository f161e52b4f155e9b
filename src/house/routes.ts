import type { Registry } from "prom-client";
import { openApi } from "../platform/http/openapi.ts";
import { json } from "../platform/http/respond.ts";
import type { Contract } from "../platform/http/route.ts";
import { Routes } from "../platform/http/routes.ts";
import { checkHealth } from "../platform/telemetry/health.ts";
import { houseContract } from "./contract.ts";
import { docsPage } from "./docs-page.ts";

interface Deps {
  services: readonly { name: string; contract: Contract }[];
  checks: Record<string, () => Promise<void>>;
  metrics: Registry;
  version: string;
  ready: () => boolean;
}

export function houseRoutes({ services, checks, metrics, version, ready }: Deps): Routes {
  const startedAt = performance.now();
  const health = async () => ({
    ...(await checkHealth(checks)),
    services: services.map(({ name }) => name),
    version,
    uptime: Math.round((performance.now() - startedAt) / 1000),
  });
  const all = [...services, { name: "house", contract: houseContract }];
  return new Routes()
    .on(houseContract.health, health)
    .on(houseContract.healthPlain, health)
    .on(houseContract.liveness, () => ({ status: "ok" as const }))
    .on(houseContract.readiness, async () => {
      const { status, checks: parts } = await checkHealth(checks);
      const fit = ready() && status !== "down";
      return json({ status: fit ? "ok" : "down", checks: parts }, fit ? 200 : 503, fit ? {} : { "retry-after": "5" });
    })
    .on(
      houseContract.metrics,
      async () => new Response(await metrics.metrics(), { headers: { "content-type": metrics.contentType } }),
    )
    .on(houseContract.openApi, () => json(openApi(all, version)))
    .on(houseContract.docs, () => docsPage(all, version));
}
