import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { CatalogueModel, CatalogueModels } from "./catalogue-models.ts";
import { type EmbeddingModelConfig, type EnvironmentModels, prefixesOf } from "./config.ts";
import type { EmbeddingModel, ModelReference } from "./embedding-model.ts";
import { modelOverHttp, type ObserveCall, type ProviderOptions } from "./over-http.ts";

/** Every model that this process can ask. */
export interface EmbeddingModels {
  /** The one that the environment names. */
  configured: EmbeddingModel;
  /** One that vectors are stored of; `undefined` when it cannot be asked any more. */
  find(stored: ModelReference): Promise<EmbeddingModel | undefined>;
}

interface Deps {
  config: EmbeddingModelConfig;
  environment: EnvironmentModels;
  catalogue: CatalogueModels;
  /** Providers of the catalogue are called as they are for completions. */
  outgoing: Pick<Outgoing, "fetch">;
  observe: ObserveCall;
}

/** Models of the catalogue and of the environment. */
export function allModels(deps: Deps): EmbeddingModels {
  const { environment, catalogue, observe } = deps;
  return {
    configured: environment.configured,
    async find(stored) {
      const { availableModelId: id, name, dimensions } = stored;
      const entry =
        id === null
          ? undefined
          : (await catalogue.list()).find((one) => one.availableModelId === id);
      // an entry that names another model now is not the one that vectors are stored of
      if (entry?.model !== name) return environment.find(stored);
      return modelOverHttp({ ...toProviderOptions(deps, entry), dimensions, observe });
    },
  };
}

/** How a model of the catalogue is asked, whatever its dimensions. */
export function toProviderOptions(
  { config, environment, outgoing }: Pick<Deps, "config" | "environment" | "outgoing">,
  { endpoint, kind, model, prefixes }: CatalogueModel,
): Omit<ProviderOptions, "dimensions" | "observe"> {
  // whoever serves it, its vectors are those of the environment's model
  const isConfigured = model === environment.configured.name;
  return {
    ...endpoint,
    provider: kind,
    model,
    maxBatchSize: config.EMBEDDING_BATCH_SIZE,
    timeoutMs: config.EMBEDDING_TIMEOUT,
    prefixes: isConfigured ? prefixesOf(config) : prefixes,
    outgoing,
  };
}
