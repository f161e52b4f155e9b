import type {
  AvailableModelEntry,
  ModelEntry,
  ModelsProviders,
  ProviderEntry,
} from "./contract-catalogue.ts";
import type { ModelKind } from "./contract-model-kinds.ts";
import { call, type Fetch } from "../../platform/http/call.ts";
import { NotFound } from "../../platform/http/errors.ts";
import { coreServicesConfig } from "../core/contract.ts";

export interface ModelNeed {
  /** `reply` to a user may come from the built-in offline model. The other tasks may not. */
  task: "reply" | "translate" | "judge" | "describe";
  /** Its id, `provider/model`, or the provider's name of it. */
  name?: string | undefined;
  /** What it is for. Default: to answer. */
  kind?: ModelKind | undefined;
  /** Capabilities that the model must have. */
  needs?: readonly Exclude<keyof ModelEntry["capabilities"], "visionAssumed">[];
}

export interface ModelChoice {
  entry: AvailableModelEntry;
  model: ModelEntry;
  provider: ProviderEntry;
}

/**
 * The rule by which every service chooses a model: the first one in the order of the catalogue that
 * is enabled, as are its provider and its entry, and that has the needed capabilities.
 */
export function chooseModel(
  catalogue: ModelsProviders,
  need: ModelNeed,
): ModelChoice | undefined {
  const choices = listChoices(catalogue, need);
  const { name } = need;
  if (name === undefined) return choices[0];
  const [first] = entriesNamed(
    choices.map(({ entry }) => entry),
    name,
  );
  return choices.find(({ entry }) => entry === first);
}

function listChoices(
  { providers, models, availableModels }: ModelsProviders,
  { task, kind: wanted = "completion", needs = [] }: ModelNeed,
): ModelChoice[] {
  const enabledProviders = new Map(
    providers.filter(({ enabled }) => enabled).map((one) => [one.name, one]),
  );
  const enabledModels = new Map(
    models
      .filter(({ enabled, kind }) => enabled && kind === wanted)
      .map((one) => [one.id, one]),
  );
  const choices = availableModels.flatMap((entry): ModelChoice[] => {
    const provider = enabledProviders.get(entry.providerName);
    const model = enabledModels.get(entry.modelId);
    if (!entry.enabled || !provider || !model) return [];
    if (task !== "reply" && provider.kind === "offline") return [];
    return needs.every((need) => model.capabilities[need])
      ? [{ entry, model, provider }]
      : [];
  });
  // the offline model is no language model: it comes last
  const isOffline = ({ provider }: ModelChoice) => provider.kind === "offline";
  return [...choices.filter((one) => !isOffline(one)), ...choices.filter(isOffline)];
}

type Named = Pick<AvailableModelEntry, "id" | "providerName" | "providerModelId">;

/**
 * The entries that a name means, in their order: by id, else by `provider/model`, else by what
 * providers call them, of which several may have the same model.
 */
export function entriesNamed<Entry extends Named>(
  entries: readonly Entry[],
  name: string,
): Entry[] {
  const ways: ((entry: Named) => boolean)[] = [
    ({ id }) => id === name,
    ({ providerName, providerModelId }) => `${providerName}/${providerModelId}` === name,
    ({ providerModelId }) => providerModelId === name,
  ];
  for (const isMeant of ways) {
    const found = entries.filter(isMeant);
    if (found.length > 0) return found;
  }
  return [];
}

/** Nothing enabled has this name, of which requests have at most 300 characters. */
export function modelUnknown(name = ""): NotFound {
  return new NotFound(
    "model_unknown",
    `There is no enabled model "${name}". GET /api/v1/models lists the models.`,
    { params: { name } },
  );
}

const TIMEOUT_MS = 10_000;

/**
 * The id of the first model of the core's catalogue that meets a need, if there is one.
 * @throws ApiError when the core does not answer.
 */
export async function findModel(
  core: Fetch,
  need: ModelNeed,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const options = { signal, timeoutMs: TIMEOUT_MS };
  const catalogue = await call(core, coreServicesConfig.modelsProviders, {}, options);
  return chooseModel(catalogue, need)?.entry.id;
}
