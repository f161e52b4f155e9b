import { z } from "zod";
import { duration } from "../../platform/config/schemas.ts";
import { openOutgoing } from "../../platform/outgoing/open-outgoing.ts";
import { createRecentFailures } from "../../platform/telemetry/health.ts";
import { defineService } from "../../platform/service.ts";
import { completionContract, type EmbeddingUse } from "../completion/contract.ts";
import { countCalls, publishCalls } from "../completion/contract-count-calls.ts";
import { createUsagePublisher } from "../completion/contract-publish-usage.ts";
import { call } from "../../platform/http/call.ts";
import { admitEmbeddings } from "./admit-embedding.ts";
import { embeddingContract } from "./contract.ts";
import { EMBEDDING_JOBS } from "./contract-jobs.ts";
import { repeatedChange } from "./index/change-model.ts";
import { renewWords } from "./index/renew-words.ts";
import { adoptModel } from "./index/adopt-model.ts";
import { embeddingWorker } from "./index/take-job.ts";
import { createTranslator } from "./languages/translate.ts";
import { allModels } from "./models/all-models.ts";
import { openCatalogueModels } from "./models/catalogue-models.ts";
import { embeddingModelConfig, environmentModels, namedHosts } from "./models/config.ts";
import { MODEL_SERVER, observeCalls } from "./models/observe-calls.ts";
import { embeddingRoutes } from "./routes.ts";

const CHANGE_INTERVAL_MS = 15_000;
const RENEWAL_INTERVAL_MS = 60_000;
const RECORD_TIMEOUT_MS = 5_000;
const number = (usual: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(1).max(most))
    .default(usual);

export default defineService({
  name: "embedding",
  port: 4005,
  contract: embeddingContract,
  config: embeddingModelConfig.extend({
    EMBEDDING_PREFETCH: number(2, 64).describe(
      "Documents that one embedding worker indexes at once",
    ),
    EMBEDDING_TRIES: number(5, 100).describe(
      "Tries of an embedding job before it has failed and goes to the dead letters",
    ),
    EMBEDDING_BACKOFF: duration()
      .default(1_000)
      .describe("Wait before the second try in ms; doubles each time"),
    TRANSLATION_MODEL: z
      .string()
      .max(300)
      .optional()
      .describe(
        "Model that translates to English; default: the first language model that there is",
      ),
  }),
  // the document store is shared: the first of its services to start creates it
  migrations: new URL("../documents/migrations/", import.meta.url),
  schema: "documents",
  queue: true,
  needs: ["completion", "documents"],
  uses: ["core"],
  async create({
    config,
    db,
    files,
    queue,
    cache,
    log,
    endpoints,
    peer,
    hasPeer,
    workers,
  }) {
    const named = openOutgoing({ allow: namedHosts(config), own: () => [] });
    const failures = createRecentFailures();
    const calls = countCalls({ queue, log });
    const observe = observeCalls({ failures, calls, log });
    const uses = createUsagePublisher<EmbeddingUse>({
      send: (body) =>
        call(
          peer("completion"),
          completionContract.recordEmbedding,
          { body },
          { timeoutMs: RECORD_TIMEOUT_MS },
        ),
      log,
    });
    // nobody waits for it
    const record = (use: EmbeddingUse) => void uses.publish(use);
    const environment = environmentModels(config, {
      outgoing: named,
      workers,
      observe,
      record,
    });
    await adoptModel(db, environment.configured);
    const core = hasPeer("core") ? peer("core") : undefined;
    const catalogue = await openCatalogueModels({ core, cache, log });
    const candidates = { config, environment, catalogue, outgoing: endpoints, record };
    const models = allModels({ ...candidates, observe });
    const translator = createTranslator(peer("completion"), core, config.TRANSLATION_MODEL);
    const deps = {
      db,
      workers,
      models,
      candidates,
      translator,
      admit: admitEmbeddings(core),
      files,
      queue,
      log,
      documents: () => peer("documents"),
      maxAttempts: config.EMBEDDING_TRIES,
    };
    return {
      routes: embeddingRoutes(deps),
      checks: { [MODEL_SERVER]: failures.check },
      consumers: [
        {
          queue: EMBEDDING_JOBS,
          handle: embeddingWorker(deps),
          options: {
            prefetch: config.EMBEDDING_PREFETCH,
            tries: config.EMBEDDING_TRIES,
            backoffMs: config.EMBEDDING_BACKOFF,
          },
        },
      ],
      jobs: [
        {
          name: "change-embedding-model",
          intervalMs: CHANGE_INTERVAL_MS,
          replicas: "one",
          atStart: { waitMs: 0 },
          onFailure:
            "questions are answered with the former embedding model until a run succeeds. " +
            "Check the embedding provider's address and key.",
          run: repeatedChange({ db, models, log }),
        },
        {
          name: "renew-words",
          intervalMs: RENEWAL_INTERVAL_MS,
          replicas: "one",
          atStart: { waitMs: 0 },
          onFailure:
            "documents that an older version indexed are found by fewer spellings of their words " +
            "until a run succeeds. Check the database.",
          run: (signal) => renewWords(db, signal),
        },
        // core keeps them: without one nobody would take them from the queue
        ...(core ? [publishCalls(calls)] : []),
      ],
      async close() {
        if (core) await calls[Symbol.asyncDispose]();
        await catalogue[Symbol.asyncDispose]();
        await uses[Symbol.asyncDispose]();
        await named[Symbol.asyncDispose]();
      },
    };
  },
});
