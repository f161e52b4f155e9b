import { createLoadSharing } from "../../../platform/in-turn/load-sharing.ts";
import { createRests } from "../../../platform/in-turn/rests.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { CatalogueModel, CatalogueModels } from "./catalogue-models.ts";
import { type EmbeddingModelConfig, type EnvironmentModels, prefixesOf } from "./config.ts";
import type { EmbeddingModel, ModelReference } from "./embedding-model.ts";
import { embedInTurn } from "./embed-in-turn.ts";
import { restOf } from "./failure-meanings.ts";
import type { RecordUse } from "./record-use.ts";
import { modelOverHttp, type ObserveCall, type ProviderOptions } from "./over-http.ts";

/** Every model that this process can call. */
export interface EmbeddingModels {
  /** The model that the environment names. */
  configured: EmbeddingModel;
  /** The model of stored vectors; `undefined` when it cannot be called any more. */
  find(stored: ModelReference): Promise<EmbeddingModel | undefined>;
}

interface Deps {
  config: EmbeddingModelConfig;
  environment: EnvironmentModels;
  catalogue: CatalogueModels;
  /** Calls providers of the catalogue, as completions do. */
  outgoing: Pick<Outgoing, "fetch">;
  observe: ObserveCall;
  record: RecordUse;
}

/** Models of the catalogue and of the environment. */
export function allModels(deps: Deps): EmbeddingModels {
  const { environment, catalogue, observe, config } = deps;
  const rests = createRests(restOf);
  const keyRests = createRests(restOf);
  // what failed may be mended
  catalogue.onChange(() => {
    rests.forget();
    keyRests.forget();
  });
  const optionsOf = (entry: CatalogueModel) => {
    const options = { ...toProviderOptions(deps, entry), observe };
    const { endpoints } = entry;
    return endpoints.length < 2
      ? options
      : { ...options, keys: { endpoints, rests: keyRests } };
  };
  const shared = {
    rests,
    loads: createLoadSharing(),
    list: () => catalogue.list(),
    optionsOf,
    timeoutMs: config.EMBEDDING_TIMEOUT,
  };
  return {
    configured: environment.configured,
    async find(stored) {
      const { availableModelId: id, name, dimensions } = stored;
      const entry =
        id === null
          ? undefined
          : (await catalogue.list()).find((one) => one.availableModelId === id);
      // the entry names another model by now
      if (entry?.model !== name) return environment.find(stored);
      const options = { ...optionsOf(entry), dimensions };
      const model = { ...modelOverHttp(options), isPriced: entry.isPriced };
      if (entry.fallbacks.length === 0) return model;
      return { ...model, embed: embedInTurn(shared, { ...entry, ...options }, dimensions) };
    },
  };
}

/** The options for calling a model of the catalogue, whatever its dimensions. */
export function toProviderOptions(
  {
    config,
    environment,
    outgoing,
    record,
  }: Pick<Deps, "config" | "environment" | "outgoing" | "record">,
  { endpoint, kind, catalogueName, model, prefixes }: CatalogueModel,
): Omit<ProviderOptions, "dimensions" | "observe"> {
  // the same model at any provider makes comparable vectors
  const isConfigured = model === environment.configured.name;
  return {
    ...endpoint,
    provider: kind,
    catalogueName,
    model,
    maxBatchSize: config.EMBEDDING_BATCH_SIZE,
    timeoutMs: config.EMBEDDING_TIMEOUT,
    prefixes: isConfigured ? prefixesOf(config) : prefixes,
    outgoing,
    record,
  };
}
