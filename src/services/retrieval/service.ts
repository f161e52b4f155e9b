import { z } from "zod";
import { httpUrl, secret } from "../../platform/config/schemas.ts";
import { defineService } from "../../platform/service.ts";
import { LOCAL_PROVIDER } from "../embedding/contract.ts";
import { retrievalContract } from "./contract.ts";
import { crossEncoder } from "./rerank/by-cross-encoder.ts";
import { languageModelJudge } from "./rerank/by-language-model.ts";
import { retrievalRoutes } from "./routes.ts";
import { createTermStatistics } from "./term-statistics.ts";
import { duration, httpUrl } from "../../platform/config/schemas.ts";
import { defineService } from "../../platform/service.ts";
import { retrievalContract } from "./contract.ts";
import { bgeReranker } from "./rerank/bge-reranker.ts";
import { llmReranker } from "./rerank/llm-reranker.ts";
import { retrievalRoutes } from "./routes.ts";
import { createTextMatcher } from "./text-matches.ts";

/** Source: requirements 2 "Limits": the reranker is asked twice at most. */
const RERANKER_ATTEMPTS = 2;

export default defineService({
  name: "retrieval",
  port: 4000,
  contract: retrievalContract,
  config: z.object({
    RERANKER_SERVICE_URL: httpUrl().optional().describe("A cross-encoder that serves POST /v1/rerank, for `rerank.strategy` bge"),
    RERANKER_MODEL: z.string().optional().describe("The model to name to it, where it has several"),
    RERANKER_API_KEY: secret().optional().describe("Its key, where it asks for one"),
    RERANK_MODEL: z
      .string()
      .optional()
      .describe("The model that orders for `rerank.strategy` llm; default: the first enabled one"),
  }),
  schema: "documents",
  migrations: new URL("../documents/migrations/", import.meta.url),
  siblings: ["documents", "embedding", "users"],
  async create({ config, db, outgoing, sibling, hasSibling }) {
    const optional = (name: "completion" | "core") => (hasSibling(name) ? sibling(name) : undefined);
    const encoder = crossEncoder({
      fetch: outgoing.fetch,
      url: config.RERANKER_SERVICE_URL,
      model: config.RERANKER_MODEL,
      apiKey: config.RERANKER_API_KEY,
    });
    const judge = languageModelJudge({ completion: optional("completion"), core: optional("core"), model: config.RERANK_MODEL });
    return {
      routes: retrievalRoutes({
        db,
        embedding: sibling("embedding"),
        documents: sibling("documents"),
        users: sibling("users"),
        statistics: createTermStatistics(db),
        rerank: (strategy, ...asked) => (strategy === "bge" ? encoder(...asked) : judge(...asked)),
        localProvider: LOCAL_PROVIDER,
    RERANKER_SERVICE_URL: httpUrl()
      .optional()
      .describe("Address of a reranker with POST /v1/rerank; allow it in OUTGOING_ALLOW when it is private"),
    RERANKER_API_KEY: z.string().min(1).optional().describe("Its API key").meta({ secret: true }),
    RERANKER_MODEL: z.string().max(300).optional().describe("Its model, where it has several"),
    RERANKER_TIMEOUT: duration().default(30_000).describe("How long one of its two attempts may take, in ms"),
    RERANK_MODEL: z
      .string()
      .max(300)
      .optional()
      .describe("Language model that reranks with the strategy llm; default: the first that there is"),
    RETRIEVAL_EMBED_TIMEOUT: duration().default(20_000).describe("How long a question may take to be embedded, in ms"),
  }),
  // the document store is shared: whoever of its services starts first makes it
  migrations: new URL("../documents/migrations/", import.meta.url),
  schema: "documents",
  siblings: ["embedding", "documents", "users", "completion"],
  async create({ config, db, outgoing, sibling, hasSibling }) {
    return {
      routes: retrievalRoutes({
        db,
        matchText: createTextMatcher(db),
        rerankers: {
          bge: bgeReranker({
            url: config.RERANKER_SERVICE_URL,
            apiKey: config.RERANKER_API_KEY,
            model: config.RERANKER_MODEL,
            timeoutMs: config.RERANKER_TIMEOUT,
            attempts: RERANKER_ATTEMPTS,
            outgoing,
          }),
          llm: llmReranker({
            completion: () => sibling("completion"),
            core: hasSibling("core") ? () => sibling("core") : undefined,
            model: config.RERANK_MODEL,
            timeoutMs: config.RERANKER_TIMEOUT,
          }),
        },
        embedding: () => sibling("embedding"),
        documents: () => sibling("documents"),
        users: () => sibling("users"),
        embedTimeoutMs: config.RETRIEVAL_EMBED_TIMEOUT,
      }),
    };
  },
});
