import type { Registry } from "prom-client";
import type { JobStatus } from "../platform/background/job-monitor.ts";
import type { Cache } from "../platform/cache/cache.ts";
import { type Caller, userOf } from "../platform/http/caller.ts";
import { NotFound } from "../platform/http/errors.ts";
import { fixedAnswer } from "../platform/http/fixed-answer.ts";
import { openApi } from "../platform/http/openapi.ts";
import type { Guard } from "../platform/http/guard.ts";
import { offsetOf } from "../platform/http/page.ts";
import { json } from "../platform/http/respond.ts";
import type { Contract } from "../platform/http/route.ts";
import { Routes } from "../platform/http/routes.ts";
import { eventStream } from "../platform/http/stream.ts";
import type { Queue } from "../platform/queue/queue.ts";
import { once, singleFlight } from "../platform/single-flight.ts";
import { briefly, type Check, checkHealth } from "../platform/telemetry/health.ts";
import { followChanges } from "./events/follow-changes.ts";
import { serverContract } from "./contract.ts";
import type { JobList } from "./list-jobs.ts";
import { docsPage } from "./docs-page.ts";
import { QUEUES } from "./queues.ts";
import { schemaNames } from "./schema-names.ts";
import { SERVICE_DESCRIPTIONS } from "./service-descriptions.ts";

interface Deps {
  services: readonly { name: string; contract: Contract }[];
  checks: Record<string, Check>;
  /** Of this process. */
  jobs: () => JobStatus[];
  /** Of all processes that answer. */
  allJobs: () => Promise<JobList>;
  metrics: Registry;
  version: string;
  isReady: () => boolean;
  /** Undefined when no service uses a queue. */
  queue: Queue | undefined;
  cache: Cache;
  guard: Guard;
}

export function serverRoutes(deps: Deps): Routes {
  const { services, checks, metrics, version, isReady, queue, cache, guard } = deps;
  const startedAt = performance.now();
  const runChecks = singleFlight(() => checkHealth(checks));
  const health = async ({ caller }: { caller: Caller }) => {
    if (caller.kind === "anonymous") return { status: briefly((await runChecks()).status) };
    const [checked, list] = await Promise.all([runChecks(), deps.allJobs()]);
    return {
      ...checked,
      ...list,
      services: services.map(({ name }) => name),
      version,
      uptime: Math.round((performance.now() - startedAt) / 1000),
    };
  };
  const all = [...services, { name: "server", contract: serverContract }];
  const describeApi = once(async () =>
    openApi(all, version, {
      names: await schemaNames(),
      descriptions: SERVICE_DESCRIPTIONS,
    }),
  );
  const openApiAnswer = fixedAnswer(async () => ({
    body: JSON.stringify(await describeApi()),
    headers: { "content-type": "application/json; charset=utf-8" },
  }));
  const docsAnswer = fixedAnswer(async () => docsPage(all, version, await describeApi()));
  const routes = new Routes()
    .on(serverContract.health, health)
    .on(serverContract.healthPlain, health)
    .on(serverContract.jobs, () => ({ jobs: deps.jobs() }))
    .on(serverContract.liveness, () => ({ status: "ok" as const }))
    .on(serverContract.readiness, async ({ caller }) => {
      const { status, checks: parts } = await runChecks();
      const details = caller.kind === "anonymous" ? {} : { checks: parts };
      const isFit = isReady() && status !== "down";
      if (isFit) return json({ status: "ok", ...details }, 200);
      return json({ status: "down", ...details }, 503, { "retry-after": "5" });
    })
    .on(
      serverContract.metrics,
      async () =>
        new Response(await metrics.metrics(), {
          headers: { "content-type": metrics.contentType },
        }),
    )
    .on(serverContract.openApi, ({ request }) => openApiAnswer(request))
    .on(serverContract.docs, ({ request }) => docsAnswer(request))
    .on(serverContract.events, ({ callerNow, query, request, signal }) => {
      const isResumed = request.headers.has("last-event-id");
      const unseenForMs = isResumed ? Infinity : query.unseenForMs;
      const user = () => userOf(callerNow());
      const id = () => crypto.randomUUID();
      return eventStream(followChanges({ cache, guard, user, unseenForMs, signal }), {
        id,
      });
    });
  addQueueRoutes(routes, queue);
  return routes;
}

function addQueueRoutes(routes: Routes, queue: Queue | undefined): void {
  routes
    .on(serverContract.queues, async () => {
      if (!queue) return { queues: [] };
      const withCount = async (name: string) => ({ name, ...(await queue.count(name)) });
      return { queues: await Promise.all(QUEUES.map(withCount)) };
    })
    .on(serverContract.deadLetters, async ({ params: { name }, query }) => {
      const { page, limit } = query;
      const range = { limit, offset: offsetOf(query) };
      const deadLetters = await knownQueue(queue, name).deadLetters(name, range);
      return { ...deadLetters, page, limit };
    })
    .on(serverContract.retryDeadLetters, async ({ params: { name }, body: { ids } }) => ({
      retried: await knownQueue(queue, name).redrive(name, ids),
    }))
    .on(
      serverContract.discardDeadLetters,
      async ({ params: { name }, query: { ids } }) => ({
        discarded: await knownQueue(queue, name).discard(name, ids),
      }),
    );
}

/** @throws NotFound for a queue of another name: RabbitMQ would create it. */
function knownQueue(queue: Queue | undefined, name: string): Queue {
  if (queue && QUEUES.includes(name)) return queue;
  throw new NotFound(
    "queue_not_found",
    "There is no queue of that name. GET /api/v1/queues lists all.",
  );
}
