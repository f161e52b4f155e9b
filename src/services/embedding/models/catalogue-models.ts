import type { Cache } from "../../../platform/cache/cache.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import {
  CATALOGUE_CHANGED,
  type LoadSharing,
  type ModelEntry,
  type ModelsProviders,
} from "../../completion/contract-catalogue.ts";
import { isFree } from "../../completion/contract-is-free.ts";
import {
  type EmbeddingEndpoint,
  type ProviderKind,
  providerKinds,
} from "../../completion/contract-provider-kinds.ts";
import { coreServicesConfig } from "../../core/contract.ts";
import { type Prefixes, usualPrefixes } from "./usual-prefixes.ts";

/** An embedding model of the catalogue that can be called. */
export interface CatalogueModel {
  /** Ids of those that answer in its place when it fails, and which of them share its load. */
  fallbacks: readonly string[];
  loadSharing: LoadSharing | undefined;
  availableModelId: string;
  displayName: string;
  providerName: string;
  /** Of its provider. */
  catalogueName: string;
  kind: ProviderKind;
  /** The provider's name of the model. */
  model: string;
  /** As an administrator set them. */
  dimensions: number | undefined;
  /** Whether it costs anything. */
  isPriced: boolean;
  prefixes: Prefixes;
  endpoint: EmbeddingEndpoint;
  /** The same by each key of the provider, of which it is the first. */
  endpoints: readonly EmbeddingEndpoint[];
}

export interface CatalogueModels extends AsyncDisposable {
  /** In the order of the catalogue. Returns the last copy while core does not answer. */
  list(): Promise<readonly CatalogueModel[]>;
  /** Called with each change of the catalogue. */
  onChange(listener: () => void): void;
}

interface Deps {
  /** Absent where no core is configured: then there is no catalogue. */
  core: Fetch | undefined;
  cache: Cache;
  log: Logger;
}

/** The longest time for which a change stays unseen when its notification is lost. */
const MAX_AGE_MS = 10_000;
const READ_TIMEOUT_MS = 5_000;

/** The embedding models of the core's catalogue, read again after each change of it. */
export async function openCatalogueModels({
  core,
  cache,
  log,
}: Deps): Promise<CatalogueModels> {
  let last: readonly CatalogueModel[] = [];
  let copy: { expiresAt: number; models: Promise<readonly CatalogueModel[]> } | undefined;
  let listener = () => {};
  const changes = await cache.subscribe(CATALOGUE_CHANGED, () => {
    copy = undefined;
    listener();
  });
  const read = async (of: Fetch) => {
    try {
      const options = { timeoutMs: READ_TIMEOUT_MS };
      last = toCatalogueModels(
        await call(of, coreServicesConfig.modelsProviders, {}, options),
      );
    } catch (error) {
      log.warn({ err: error }, "cannot read the catalogue; using the last copy");
    }
    return last;
  };
  return {
    async list() {
      if (!core) return [];
      if (!copy || copy.expiresAt < performance.now())
        copy = { expiresAt: performance.now() + MAX_AGE_MS, models: read(core) };
      return copy.models;
    },
    onChange: (next) => void (listener = next),
    [Symbol.asyncDispose]: () => changes[Symbol.asyncDispose](),
  };
}

/** The enabled models of enabled providers that embed texts. */
function toCatalogueModels({
  providers,
  models,
  availableModels,
}: ModelsProviders): CatalogueModel[] {
  const providersByName = new Map(providers.map((one) => [one.name, one]));
  const modelsById = new Map(models.map((one) => [one.id, one]));
  return availableModels.flatMap((entry) => {
    const provider = providersByName.get(entry.providerName);
    const model = modelsById.get(entry.modelId);
    if (!entry.enabled || !provider?.enabled || !model?.enabled) return [];
    if (model.kind !== "embedding") return [];
    const { kind, config } = provider;
    const endpoints = providerKinds[kind].embeddings(config, entry.providerModelId);
    const [endpoint] = endpoints;
    if (!endpoint) return [];
    return {
      fallbacks: entry.fallbacks ?? [],
      loadSharing: entry.loadSharing,
      availableModelId: entry.id,
      displayName: entry.displayName,
      providerName: provider.displayName,
      catalogueName: provider.name,
      kind,
      model: entry.providerModelId,
      dimensions: model.dimensions,
      isPriced: !isFree(entry),
      prefixes: prefixesOf(entry.providerModelId, model),
      endpoint,
      endpoints,
    };
  });
}

/** The prefixes that an administrator set, otherwise those that the name of the model implies. */
function prefixesOf(
  name: string,
  { queryPrefix, passagePrefix }: Pick<ModelEntry, "queryPrefix" | "passagePrefix">,
): Prefixes {
  const usual = usualPrefixes(name);
  return { query: queryPrefix ?? usual.query, passage: passagePrefix ?? usual.passage };
}
