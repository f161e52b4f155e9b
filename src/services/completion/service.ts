import { duration } from "../../platform/config/schemas.ts";
import { defineService } from "../../platform/service.ts";
import { createRecentFailures } from "../../platform/telemetry/health.ts";
import { createCatalogue } from "./catalogue.ts";
import { CATALOGUE_CHANGED } from "./contract-catalogue.ts";
import { completionContract, type Transaction } from "./contract.ts";
import { providerEnvironment, providersFromEnvironment } from "./contract-environment.ts";
import { countReplies } from "./count-replies.ts";
import { createClientLoader } from "./load-client.ts";
import { createUsagePublisher } from "./publish-usage.ts";
import { completionRoutes } from "./routes.ts";
import { taskRoutes } from "./tasks/routes.ts";
import { UsageMeter } from "./usage-meter.ts";

export default defineService({
  name: "completion",
  port: 4000,
  contract: completionContract,
  config: providerEnvironment.extend({
    COMPLETION_PROVIDER_TIMEOUT: duration()
      .default(60_000)
      .describe("How long a provider may send nothing, before and during a reply, in ms"),
    COMPLETION_REPLY_TIMEOUT: duration()
      .default(600_000)
      .describe("How long a whole reply may take, in ms"),
  }),
  queue: true,
  uses: ["core"],
  async create({
    config,
    log,
    metrics,
    queue,
    cache,
    endpoints,
    outgoing,
    peer,
    hasPeer,
    workers,
  }) {
    const catalogue = createCatalogue({
      core: hasPeer("core") ? peer("core") : undefined,
      fallback: providersFromEnvironment(config),
      log,
    });
    const changes = await cache.subscribe(CATALOGUE_CHANGED, catalogue.invalidate);
    const usage = createUsagePublisher({ queue, log });
    const counts = countReplies(metrics);
    const publish = (transaction: Transaction) => {
      counts.replied(transaction);
      return usage.publish(transaction);
    };
    const recent = createRecentFailures();
    const failures = {
      ...recent,
      failed(name: string, code: string) {
        counts.failed(name, code);
        recent.failed(name, code);
      },
    };
    const tasks = {
      catalogue,
      endpoints,
      replyTimeoutMs: config.COMPLETION_REPLY_TIMEOUT,
      publish,
      failures,
      log,
    };
    return {
      routes: taskRoutes(
        completionRoutes({
          catalogue,
          loadClient: createClientLoader(),
          endpoints,
          outgoing,
          timeoutMs: config.COMPLETION_PROVIDER_TIMEOUT,
          replyTimeoutMs: config.COMPLETION_REPLY_TIMEOUT,
          failures,
          log,
          workers,
          startMeter: (target, request) => new UsageMeter(publish, target, request),
        }),
        tasks,
      ),
      checks: { "model providers": failures.check },
      async close() {
        await changes[Symbol.asyncDispose]();
        await usage[Symbol.asyncDispose]();
      },
    };
  },
});
