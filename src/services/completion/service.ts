import { call } from "../../platform/http/call.ts";
import { duration } from "../../platform/config/schemas.ts";
import { createLoadSharing } from "../../platform/in-turn/load-sharing.ts";
import { defineService } from "../../platform/service.ts";
import { createRecentFailures } from "../../platform/telemetry/health.ts";
import { admissionContract } from "../core/contract-admission.ts";
import { createCatalogue } from "./catalogue.ts";
import { CATALOGUE_CHANGED } from "./contract-catalogue.ts";
import {
  completionContract,
  type Transaction,
  TRANSACTION_PATTERN,
  TRANSACTIONS_QUEUE,
  type UsageContext,
} from "./contract.ts";
import { providerEnvironment, providersFromEnvironment } from "./contract-environment.ts";
import { countCalls, publishCalls } from "./contract-count-calls.ts";
import { countReplies } from "./count-replies.ts";
import { createClientLoader } from "./load-client.ts";
import { createUsagePublisher } from "./contract-publish-usage.ts";
import { createRests } from "./rests.ts";
import { completionRoutes } from "./routes.ts";
import { mediaRoutes } from "./media/routes.ts";
import { UsageMeter } from "./usage-meter.ts";

const FIND_TIMEOUT_MS = 5_000;

export default defineService({
  name: "completion",
  port: 4000,
  contract: completionContract,
  config: providerEnvironment.extend({
    COMPLETION_PROVIDER_TIMEOUT: duration()
      .default(60_000)
      .describe("How long a provider may send nothing, before and during a reply, in ms"),
    COMPLETION_FALLBACK_AFTER: duration()
      .default(30_000)
      .describe(
        "How long a model that has fallbacks may send nothing before its first token, in ms; " +
          "then the next one is asked",
      ),
    COMPLETION_FALLBACKS_TIMEOUT: duration()
      .default(50_000)
      .describe(
        "How long a model and its fallbacks have together until a first token, in ms; less than " +
          "COMPLETION_SERVICE_TIMEOUT, for which callers wait",
      ),
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
    const core = hasPeer("core") ? peer("core") : undefined;
    const catalogue = createCatalogue({
      core,
      fallback: providersFromEnvironment(config),
      log,
    });
    const rests = createRests();
    const keyRests = createRests();
    const changes = await cache.subscribe(CATALOGUE_CHANGED, () => {
      catalogue.invalidate();
      rests.forget();
      keyRests.forget();
    });
    const usage = createUsagePublisher<Transaction>({
      send: (record) =>
        queue.publish(TRANSACTIONS_QUEUE, record, {
          id: record.id,
          pattern: TRANSACTION_PATTERN,
        }),
      log,
    });
    const counts = countReplies(metrics);
    const calls = countCalls({ queue, log });
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
    const shared = {
      catalogue,
      rests,
      keyRests,
      loads: createLoadSharing(),
      async findFallbacks(
        model: string,
        { userId, agentId }: UsageContext,
      ): Promise<string[]> {
        if (!core) return [];
        const { listFallbacks } = admissionContract;
        const input = { body: { model, userId, agentId } };
        return (await call(core, listFallbacks, input, { timeoutMs: FIND_TIMEOUT_MS }))
          .models;
      },
      onReplaced: counts.replaced,
      fallbackAfterMs: Math.min(
        config.COMPLETION_FALLBACK_AFTER,
        config.COMPLETION_PROVIDER_TIMEOUT,
      ),
      chainTimeoutMs: config.COMPLETION_FALLBACKS_TIMEOUT,
      endpoints,
      replyTimeoutMs: config.COMPLETION_REPLY_TIMEOUT,
      failures,
      calls,
      log,
    };
    return {
      routes: mediaRoutes(
        completionRoutes({
          ...shared,
          loadClient: createClientLoader(),
          outgoing,
          timeoutMs: config.COMPLETION_PROVIDER_TIMEOUT,
          workers,
          startMeter: (target, request) => new UsageMeter(publish, target, request),
          publish,
        }),
        { ...shared, publish },
      ),
      checks: { "model providers": failures.check },
      // core keeps them: without one nobody would take them from the queue
      jobs: core ? [publishCalls(calls)] : [],
      async close() {
        if (core) await calls[Symbol.asyncDispose]();
        await changes[Symbol.asyncDispose]();
        await usage[Symbol.asyncDispose]();
      },
    };
  },
});
