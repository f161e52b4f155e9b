import type { Registry } from "prom-client";
import { NotFound } from "../platform/http/errors.ts";
import { fixedAnswer } from "../platform/http/fixed-answer.ts";
import { openApi } from "../platform/http/openapi.ts";
import { offsetOf } from "../platform/http/page.ts";
import { json } from "../platform/http/respond.ts";
import type { Contract } from "../platform/http/route.ts";
import { Routes } from "../platform/http/routes.ts";
import type { Queue } from "../platform/queue/queue.ts";
import { type Check, checkHealth } from "../platform/telemetry/health.ts";
import { serverContract } from "./contract.ts";
import { docsPage } from "./docs-page.ts";

interface Deps {
  services: readonly { name: string; contract: Contract }[];
  checks: Record<string, Check>;
  metrics: Registry;
  version: string;
  ready: () => boolean;
  /** Absent where no service has one. */
  queue: Queue | undefined;
}

const NONE = { limit: 0, offset: 0 };

export function serverRoutes({ services, checks, metrics, version, ready, queue }: Deps): Routes {
  const startedAt = performance.now();
  let looking: ReturnType<typeof checkHealth> | undefined;
  // those who ask at the same time share the calls that it takes
  const look = () => (looking ??= checkHealth(checks).finally(() => (looking = undefined)));
  const health = async () => ({
    ...(await look()),
    services: services.map(({ name }) => name),
    version,
    uptime: Math.round((performance.now() - startedAt) / 1000),
  });
  const all = [...services, { name: "server", contract: serverContract }];
  let document: Promise<object> | undefined;
  const described = () => (document ??= openApi(all, version));
  const openApiAnswer = fixedAnswer(async () => ({
    body: JSON.stringify(await described()),
    headers: { "content-type": "application/json; charset=utf-8" },
  }));
  const docsAnswer = fixedAnswer(async () => docsPage(all, version, await described()));
  return new Routes()
    .on(serverContract.health, health)
    .on(serverContract.healthPlain, health)
    .on(serverContract.liveness, () => ({ status: "ok" as const }))
    .on(serverContract.readiness, async () => {
      const { status, checks: parts } = await look();
      const fit = ready() && status !== "down";
      return json(
        { status: fit ? "ok" : "down", checks: parts },
        fit ? 200 : 503,
        fit ? {} : { "retry-after": "5" },
      );
    })
    .on(
      serverContract.metrics,
      async () =>
        new Response(await metrics.metrics(), { headers: { "content-type": metrics.contentType } }),
    )
    .on(serverContract.openApi, ({ request }) => openApiAnswer(request))
    .on(serverContract.docs, ({ request }) => docsAnswer(request))
    .on(serverContract.queues, async () => {
      const names = queue?.consumed().toSorted() ?? [];
      const counted = async (name: string) => ({
        name,
        deadLetters: (await taken(queue, name).deadLetters(name, NONE)).total,
      });
      return { queues: await Promise.all(names.map(counted)) };
    })
    .on(serverContract.deadLetters, async ({ params: { name }, query }) => {
      const { page, limit } = query;
      return {
        ...(await taken(queue, name).deadLetters(name, { limit, offset: offsetOf(query) })),
        page,
        limit,
      };
    })
    .on(serverContract.retryDeadLetters, async ({ params: { name }, body: { ids } }) => ({
      retried: await taken(queue, name).redrive(name, ids),
    }));
}

/** @throws NotFound for a queue that this process takes nothing from: RabbitMQ would make it. */
function taken(queue: Queue | undefined, name: string): Queue {
  if (queue?.consumed().includes(name)) return queue;
  throw new NotFound(
    "queue_not_found",
    "This process takes no messages from such a queue. GET /api/v1/queues names them.",
  );
}
