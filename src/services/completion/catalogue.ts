import { call, type Fetch } from "../../platform/http/call.ts";
import { singleFlight } from "../../platform/single-flight.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { coreServicesConfig } from "../core/contract.ts";
import type { ModelKind } from "./contract-model-kinds.ts";
import { chooseModel, modelUnknown } from "./contract-choose-model.ts";
import type { DefaultParameters } from "./contract-model-parameters.ts";
import { takenFiles, type TakenFiles } from "./contract-provider-kinds.ts";
import type { LoadSharing, ModelsProviders, ProviderEntry } from "./contract-catalogue.ts";

export interface Target {
  /** Of the available model. */
  id: string;
  name: string;
  /** Ids of the models that answer in its place when it fails. */
  fallbacks: readonly string[];
  /** Which of these are the same model elsewhere and share its load. */
  loadSharing?: LoadSharing | undefined;
  provider: ProviderEntry;
  /** The provider's name of the model. */
  model: string;
  /** What holds where a request does not say it. */
  parameters?: DefaultParameters | undefined;
  callsTools: boolean;
  /** In tokens, where the catalogue says it. */
  contextWindow: number | undefined;
  /** Whether it sees images. */
  sees: boolean;
  /** The files that it takes as they are. */
  takes: TakenFiles;
  /** The most tokens of a reply, where the catalogue says it. */
  maxOutputTokens: number | undefined;
}

export interface Catalogue {
  /** @throws NotFound `model_unknown` when nothing enabled of the kind has that name. */
  resolve(model: string, kind?: ModelKind): Promise<Target>;
  /** The catalogue changed: the next request waits until it is read again. */
  invalidate(): void;
}

interface Deps {
  /** Absent where no core is configured: then the environment alone names the models. */
  core: Fetch | undefined;
  /** What the environment names. Used until the core has answered once. */
  fallback: ModelsProviders;
  log: Logger;
}

const MAX_AGE_MS = 30_000;
/** An unknown name may be a new model, so the catalogue is read again, at most this often. */
const MIN_RETRY_MS = 1_000;
const READ_TIMEOUT_MS = 5_000;

/** Providers and models from the core. The last copy is kept while the core is unavailable. */
export function createCatalogue({ core, fallback, log }: Deps): Catalogue {
  let catalogue = fallback;
  /** Names that were looked up in this copy. */
  let targets = new Map<string, Target>();
  let readAt = Number.NEGATIVE_INFINITY;
  // a copy may be older than a change that was announced while it was read
  let announcedChanges = 0;
  let readChanges = 0;

  const refresh = singleFlight(async () => {
    if (!core) return;
    const changes = announcedChanges;
    const { modelsProviders } = coreServicesConfig;
    try {
      catalogue = await call(core, modelsProviders, {}, { timeoutMs: READ_TIMEOUT_MS });
      targets = new Map();
    } catch (error) {
      log.warn({ err: error }, "cannot read the catalogue; using the last copy");
    } finally {
      readAt = performance.now();
      readChanges = changes;
    }
  });

  const find = (name: string, kind: ModelKind) => {
    const key = `${kind} ${name}`;
    const target = targets.get(key) ?? findTarget(catalogue, name, kind);
    if (target) targets.set(key, target);
    return target;
  };

  return {
    async resolve(name, kind = "completion") {
      const age = performance.now() - readAt;
      if (age === Number.POSITIVE_INFINITY) await refresh();
      else if (age > MAX_AGE_MS) void refresh();
      // twice, because a read that was already running may be older than the change
      for (let reads = 0; readChanges < announcedChanges && reads < 2; reads += 1)
        await refresh();
      let target = find(name, kind);
      if (!target && performance.now() - readAt > MIN_RETRY_MS) {
        await refresh();
        target = find(name, kind);
      }
      if (!target) throw modelUnknown(name);
      return target;
    },
    invalidate: () => void (announcedChanges += 1),
  };
}

function findTarget(
  catalogue: ModelsProviders,
  name: string,
  kind: ModelKind,
): Target | undefined {
  const choice = chooseModel(catalogue, { task: "reply", kind, name });
  if (!choice) return undefined;
  const { provider, entry, model } = choice;
  return {
    id: entry.id,
    name: entry.displayName,
    fallbacks: entry.fallbacks ?? [],
    loadSharing: entry.loadSharing,
    provider,
    model: entry.providerModelId,
    parameters: entry.parameters,
    callsTools: model.capabilities.tools,
    contextWindow: model.contextWindow,
    sees: model.capabilities.vision,
    takes: takenFiles(provider.kind, entry.providerModelId, model.capabilities),
    maxOutputTokens: model.maxOutputTokens,
  };
}
