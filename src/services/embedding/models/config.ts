import { z } from "zod";
import { duration, httpUrl } from "../../../platform/config/schemas.ts";
import type { Workers } from "../../../platform/workers/workers.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { EmbeddingModel, ModelReference } from "./embedding-model.ts";
import { HASHED_WORDS } from "./hashed-words.ts";
import { localModel } from "./local-model.ts";
import { modelOverHttp, type ObserveCall } from "./over-http.ts";
import type { RecordUse } from "./record-use.ts";
import { PROTOCOLS } from "./protocols.ts";

const count = (usual: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(1).max(most))
    .default(usual);

export const embeddingModelConfig = z.object({
  EMBEDDING_PROVIDER: z
    .enum(["local", "openai", "tei", "ollama"])
    .default("local")
    .describe(
      "Who makes vectors: local (hashed words, no model), or a server that speaks OpenAI's, Text Embeddings Inference's or Ollama's protocol",
    ),
  EMBEDDING_MODEL: z
    .string()
    .max(300)
    .optional()
    .describe("Name of the embedding model; default: text-embedding-3-small, bge-m3"),
  EMBEDDING_DIMENSIONS: count(1024, 2000).describe(
    "Numbers in a vector of it, at most 2000",
  ),
  EMBEDDING_BASE_URL: httpUrl()
    .optional()
    .describe("Address of its server, private or not"),
  EMBEDDING_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe("Its API key")
    .meta({ secret: true }),
  EMBEDDING_BATCH_SIZE: count(64, 2048).describe("Texts in one request to it"),
  EMBEDDING_TIMEOUT: duration()
    .default(60_000)
    .describe("How long one batch may take with all its tries, in ms"),
  EMBEDDING_QUERY_PREFIX: z
    .string()
    .max(500)
    .default("")
    .describe("What it wants before a question, as `query: ` for e5"),
  EMBEDDING_PASSAGE_PREFIX: z
    .string()
    .max(500)
    .default("")
    .describe("What it wants before a text, as `passage: ` for e5"),
});
export type EmbeddingModelConfig = z.output<typeof embeddingModelConfig>;

const USUAL = {
  openai: { model: "text-embedding-3-small", baseUrl: "https://api.openai.com/v1" },
  tei: { model: "bge-m3", baseUrl: "http://127.0.0.1:8080" },
  ollama: { model: "bge-m3", baseUrl: "http://127.0.0.1:11434" },
} as const;

function baseUrlOf({
  EMBEDDING_PROVIDER: provider,
  EMBEDDING_BASE_URL: given,
}: EmbeddingModelConfig): string | undefined {
  return provider === "local" ? undefined : (given ?? USUAL[provider].baseUrl);
}

/** The hosts that the operator configured. They are allowed even if private. */
export function namedHosts(config: EmbeddingModelConfig): string[] {
  const url = baseUrlOf(config);
  return url === undefined ? [] : [new URL(url).host];
}

/** The models that the environment configures. */
export interface EnvironmentModels {
  /** The model that it names. */
  configured: EmbeddingModel;
  /** The one that needs no server, with its usual dimensions. */
  builtIn: EmbeddingModel;
  /**
   * The model of stored vectors; `undefined` when the environment does not configure its server.
   */
  find(stored: ModelReference): EmbeddingModel | undefined;
}

interface EnvironmentDeps {
  outgoing: Pick<Outgoing, "fetch">;
  workers: Pick<Workers, "run">;
  observe?: ObserveCall | undefined;
  record?: RecordUse | undefined;
}

/**
 * Other models of the configured server can be called too, so that the former model answers while a
 * new one is built.
 */
export function environmentModels(
  config: EmbeddingModelConfig,
  { outgoing, workers, observe, record }: EnvironmentDeps,
): EnvironmentModels {
  const { EMBEDDING_PROVIDER: provider, EMBEDDING_API_KEY: key } = config;
  const baseUrl = baseUrlOf(config);
  const local = (dimensions?: number) => localModel(workers, dimensions);
  const remote = (model: string, dimensions: number): EmbeddingModel => {
    if (provider === "local" || baseUrl === undefined) return local(dimensions);
    return modelOverHttp({
      provider,
      protocol: provider,
      url: baseUrl + PROTOCOLS[provider].path,
      headers: key ? { authorization: `Bearer ${key}` } : {},
      model,
      dimensions,
      maxBatchSize: config.EMBEDDING_BATCH_SIZE,
      timeoutMs: config.EMBEDDING_TIMEOUT,
      prefixes: prefixesOf(config),
      outgoing,
      ...(observe && { observe }),
      ...(record && { record }),
    });
  };
  const name =
    provider === "local" ? HASHED_WORDS : (config.EMBEDDING_MODEL ?? USUAL[provider].model);
  const configured = remote(name, config.EMBEDDING_DIMENSIONS);
  return {
    configured,
    builtIn: local(),
    find({ name: wanted, provider: of, dimensions, availableModelId }) {
      // the same model at any server makes comparable vectors
      if (wanted === configured.name && dimensions === configured.dimensions)
        return configured;
      if (of === "local") return wanted === HASHED_WORDS ? local(dimensions) : undefined;
      const isOfOurServer = of === provider && availableModelId === null;
      return isOfOurServer ? remote(wanted, dimensions) : undefined;
    },
  };
}

/** The prefixes of the configured model, for questions and for passages. */
export function prefixesOf(config: EmbeddingModelConfig) {
  return {
    query: config.EMBEDDING_QUERY_PREFIX,
    passage: config.EMBEDDING_PASSAGE_PREFIX,
  };
}
