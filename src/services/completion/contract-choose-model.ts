import type {
  AvailableModelEntry,
  ModelEntry,
  ModelsProviders,
  ProviderEntry,
} from "./contract-catalogue.ts";

/** What a model is wanted for. */
export interface Wanted {
  /** `reply`: to a person, which the built-in offline model does too. Any other: work of ours. */
  task: "reply" | "translate" | "judge" | "describe";
  /** Its id, `provider/model`, or the provider's name for it where only one provider has it. */
  name?: string | undefined;
  needs?: readonly (keyof ModelEntry["capabilities"])[];
}

export interface Usable {
  entry: AvailableModelEntry;
  model: ModelEntry;
  provider: ProviderEntry;
}

/**
 * The one rule by which every service chooses a model: the first in the catalogue's order that is
 * enabled, as are its provider and its entry, and that can do what is needed.
 */
export function chooseModel(catalogue: ModelsProviders, wanted: Wanted): Usable | undefined {
  const usable = usableModels(catalogue, wanted);
  return wanted.name === undefined ? usable[0] : findByName(usable, wanted.name);
}

function usableModels(
  { providers, models, availableModels }: ModelsProviders,
  { task, needs = [] }: Wanted,
): Usable[] {
  const enabledProviders = new Map(
    providers.filter(({ enabled }) => enabled).map((one) => [one.name, one]),
  );
  const enabledModels = new Map(
    models
      .filter(({ enabled, kind }) => enabled && kind === "completion")
      .map((one) => [one.id, one]),
  );
  const usable = availableModels.flatMap((entry): Usable[] => {
    const provider = enabledProviders.get(entry.providerName);
    const model = enabledModels.get(entry.modelId);
    if (!entry.enabled || !provider || !model) return [];
    if (task !== "reply" && provider.kind === "offline") return [];
    return needs.every((need) => model.capabilities[need]) ? [{ entry, model, provider }] : [];
  });
  // the offline model answers nothing: it stands last
  const isOffline = ({ provider }: Usable) => provider.kind === "offline";
  return [...usable.filter((one) => !isOffline(one)), ...usable.filter(isOffline)];
}

function findByName(usable: readonly Usable[], name: string): Usable | undefined {
  const exact =
    usable.find(({ entry }) => entry.id === name) ??
    usable.find(({ entry }) => `${entry.providerName}/${entry.providerModelId}` === name);
  const bare = usable.filter(({ entry }) => entry.providerModelId === name);
  return exact ?? (bare.length === 1 ? bare[0] : undefined);
}
