import { cutText } from "../../platform/cut-text.ts";
import { call, type Fetch } from "../../platform/http/call.ts";
import { NotFound } from "../../platform/http/errors.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { coreServicesConfig } from "../core/contract.ts";
import { chooseModel } from "./contract-choose-model.ts";
import type { ModelsProviders, ProviderEntry } from "./contract-catalogue.ts";

export interface Target {
  provider: ProviderEntry;
  /** The model's name at the provider. */
  model: string;
}

export interface Catalogue {
  /** @throws NotFound `model_unknown` when nothing enabled has that name. */
  resolve(model: string): Promise<Target>;
  /** It was changed: the next request waits for the new one. */
  forget(): void;
}

interface Deps {
  /** Absent where none is configured: the environment alone names the models. */
  core: Fetch | undefined;
  /** What the environment names: used until the core has answered once. */
  fallback: ModelsProviders;
  log: Logger;
}

const FRESH_MS = 30_000;
/** An unknown name may be a new model: it is asked for again, but not at every request. */
const RETRY_MS = 1_000;

/** Providers and models from the core; the last good copy is kept while the core is away. */
export function createCatalogue({ core, fallback, log }: Deps): Catalogue {
  let known = fallback;
  /** What names were found to mean in it. */
  let found = new Map<string, Target>();
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  // how often it was changed, and how often when it was last asked for: an answer may be older than
  // the change told meanwhile
  let changes = 0;
  let seen = 0;

  const refresh = async () => {
    if (!core) return;
    const before = changes;
    asking ??= call(core, coreServicesConfig.modelsProviders, {}, { timeoutMs: 5_000 })
      .then((answer) => {
        known = answer;
        found = new Map();
      })
      .catch((error: unknown) =>
        log.warn({ err: error }, "the catalogue cannot be read; the last good copy is used"),
      )
      .finally(() => {
        askedAt = performance.now();
        seen = before;
        asking = undefined;
      });
    return asking;
  };

  const look = (name: string) => {
    const target = found.get(name) ?? find(known, name);
    if (target) found.set(name, target);
    return target;
  };

  return {
    async resolve(name) {
      const age = performance.now() - askedAt;
      if (age === Number.POSITIVE_INFINITY) await refresh();
      else if (age > FRESH_MS) void refresh();
      // a second time when the first was under way already
      for (let tries = 0; seen < changes && tries < 2; tries += 1) await refresh();
      let target = look(name);
      if (!target && performance.now() - askedAt > RETRY_MS) {
        await refresh();
        target = look(name);
      }
      if (!target)
        throw new NotFound(
          "model_unknown",
          `There is no enabled model "${cutText(name, 200)}". GET /api/v1/models lists what there is.`,
        );
      return target;
    },
    forget: () => void (changes += 1),
  };
}

function find(catalogue: ModelsProviders, name: string): Target | undefined {
  const found = chooseModel(catalogue, { task: "reply", name });
  return found && { provider: found.provider, model: found.entry.providerModelId };
}
