import { join } from "node:path";
import { z } from "zod";
import { httpUrl, secret } from "../../platform/config/schemas.ts";
import { call } from "../../platform/http/call.ts";
import { BadGateway } from "../../platform/http/errors.ts";
import { logFailedCall } from "../../platform/outgoing/log-failed-call.ts";
import { createRecentFailures } from "../../platform/telemetry/health.ts";
import { openOutgoing } from "../../platform/outgoing/open-outgoing.ts";
import { defineService } from "../../platform/service.ts";
import { LOCAL_PROVIDER } from "../embedding/contract.ts";
import { retrievalContract } from "./contract.ts";
import { labelsContract } from "../users/contract-labels.ts";
import { crossEncoder } from "./rerank/by-cross-encoder.ts";
import { languageModelJudge } from "./rerank/by-language-model.ts";
import { retrievalRoutes } from "./routes.ts";
import { createTermStatistics } from "./term-statistics.ts";
import { keepVectorIndex, openVectorIndex } from "./vector-index/vector-index.ts";

export default defineService({
  name: "retrieval",
  port: 4000,
  contract: retrievalContract,
  config: z.object({
    RERANKER_SERVICE_URL: httpUrl()
      .optional()
      .describe("A cross-encoder that serves POST /v1/rerank, for `rerank.strategy` bge"),
    RERANKER_MODEL: z
      .string()
      .optional()
      .describe("The reranker's model, when it serves several"),
    RERANKER_API_KEY: secret()
      .optional()
      .describe("The reranker's API key, when it needs one"),
    RERANK_MODEL: z
      .string()
      .optional()
      .describe("The model for `rerank.strategy` llm; default: the first enabled model"),
  }),
  schema: "documents",
  migrations: new URL("../documents/migrations/", import.meta.url),
  needs: ["documents", "embedding", "users"],
  uses: ["completion", "core"],
  async create({ config, db, log, peer, hasPeer, dataDir }) {
    // the operator configured this address, so it may be private
    const { RERANKER_SERVICE_URL: url } = config;
    const outgoing = openOutgoing({
      allow: url === undefined ? [] : [new URL(url).host],
      own: () => [],
    });
    const optional = (name: "completion" | "core") =>
      hasPeer(name) ? peer(name) : undefined;
    const encoder = crossEncoder({
      fetch: outgoing.fetch,
      url,
      model: config.RERANKER_MODEL,
      apiKey: config.RERANKER_API_KEY,
    });
    const failures = createRecentFailures();
    const rerankers = {
      async bge(...asked: Parameters<typeof encoder>) {
        const answer = await encoder(...asked);
        if (url !== undefined && "failure" in answer) {
          logFailedCall(
            log,
            { server: "reranker" },
            new BadGateway("reranker_failed", answer.failure.message),
          );
          failures.failed("reranker", "reranker_failed");
        } else failures.succeeded("reranker");
        return answer;
      },
    };
    const judge = languageModelJudge({
      completion: optional("completion"),
      core: optional("core"),
      model: config.RERANK_MODEL,
    });
    const labelsOf = async (documentIds: readonly string[]) => {
      const resources = [...new Set(documentIds)].map((resourceId) => ({
        resourceType: "document" as const,
        resourceId,
      }));
      const asked = { body: { resources } };
      return (await call(peer("users"), labelsContract.labelsOf, asked)).labels;
    };
    const vectorIndex = db.isEmbedded
      ? openVectorIndex({ db, folder: join(dataDir, "vectors"), log })
      : undefined;
    return {
      routes: retrievalRoutes({
        db,
        vectorIndex,
        embedding: peer("embedding"),
        documents: peer("documents"),
        users: peer("users"),
        statistics: createTermStatistics(db),
        rerank: async (strategy, query, passages, userId, signal, documentIds) =>
          strategy === "bge"
            ? rerankers.bge(query, passages, signal)
            : judge(query, passages, userId, signal, await labelsOf(documentIds)),
        localProvider: LOCAL_PROVIDER,
      }),
      checks: { reranker: failures.check },
      jobs: vectorIndex ? [keepVectorIndex(vectorIndex)] : [],
      async close() {
        await vectorIndex?.[Symbol.asyncDispose]();
        await outgoing[Symbol.asyncDispose]();
      },
    };
  },
});
