import { z } from "zod";
import type {
  AvailableModelEntry,
  ModelEntry,
  ModelsProviders,
} from "./contract-catalogue.ts";
import {
  PROVIDER_KINDS,
  type ProviderKind,
  providerKinds,
} from "./contract-provider-kinds.ts";
import type { ModelKind } from "./contract-model-kinds.ts";
import { kindOfModel } from "./providers/classify-model.ts";
import { nameModel } from "./providers/name-model.ts";

/**
 * The variables of all kinds of providers, named as the providers' own tools name them. Their names
 * stay out of its type: only the file of a kind reads them. The core fills its catalogue from them;
 * the completion service uses them when it has no core.
 */
export const providerEnvironment: z.ZodObject<Record<never, z.ZodType>> = z.object(
  Object.assign({}, ...PROVIDER_KINDS.map((kind) => providerKinds[kind].environment.shape)),
);

interface EnvironmentProvider {
  name: string;
  displayName: string;
  kind: ProviderKind;
  config: Record<string, unknown>;
  models: string[];
  listsModels: boolean;
}

/** Every provider that the environment configures, with its models. The offline one is the last. */
export function providersFromEnvironment(variables: object): ModelsProviders {
  const configured = readProviders(variables);
  const entries = configured.flatMap((provider) =>
    provider.models.flatMap((model) => toEntries(provider, model)),
  );
  return {
    providers: configured.map(({ name, displayName, kind, config }) => {
      return { name, displayName, kind, config, enabled: true };
    }),
    models: entries.map(({ model }) => model),
    availableModels: entries.map(({ available }) => available),
  };
}

/** Names of the providers that are asked for their models, because nothing else names them. */
export function providersToList(variables: object): string[] {
  return readProviders(variables)
    .filter(({ listsModels }) => listsModels)
    .map(({ name }) => name);
}

function readProviders(variables: object): EnvironmentProvider[] {
  return PROVIDER_KINDS.flatMap((key) =>
    providerKinds[key].fromEnvironment(variables).map((configured) => ({
      name: configured.name,
      displayName: configured.displayName ?? providerKinds[key].displayName,
      kind: configured.kind ?? key,
      config: withoutUndefined(configured.config),
      models: splitNames(configured.models),
      listsModels: configured.listsModels ?? false,
    })),
  );
}

/** None for a reranker, for which the catalogue has no kind. */
function toEntries(
  { name, kind }: EnvironmentProvider,
  model: string,
): { model: ModelEntry; available: AvailableModelEntry }[] {
  const id = `${name}/${model}`;
  const isOffline = kind === "offline";
  const displayName = isOffline ? "Offline (no language model)" : nameModel(model);
  const use = kindOfModel(model, {});
  if (use === "rerank") return [];
  // what the name does not say may well answer
  const of: ModelKind = use === "other" ? "completion" : use;
  const answers = of === "completion";
  const vision = answers && !isOffline;
  const entry = {
    model: {
      id,
      name: displayName,
      kind: of,
      capabilities: {
        tools: answers,
        vision,
        reasoning: false,
        ...(vision && { visionAssumed: true }),
      },
      enabled: true,
    },
    available: {
      id,
      modelId: id,
      providerName: name,
      providerModelId: model,
      displayName,
      enabled: true,
    },
  };
  return [entry];
}

function splitNames(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function withoutUndefined(config: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).filter(([, value]) => value !== undefined),
  );
}
