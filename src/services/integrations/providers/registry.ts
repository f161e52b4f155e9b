import { z } from "zod";
import { NotFound } from "../../../platform/http/errors.ts";
import { langflow } from "./langflow/provider.ts";
import type { Provider, ProviderDeps } from "./provider.ts";

/**
 * To add a provider, add a folder beside `langflow` and a line here. A second provider of flows
 * also needs its own routes.
 */
const PROVIDERS = { langflow } as const;

/** The environment variables of all providers. */
export const providersConfig = z.object({ ...PROVIDERS.langflow.config.shape });

/** The configured providers. */
export function openProviders(
  config: z.output<typeof providersConfig>,
  deps: ProviderDeps,
): Provider[] {
  return Object.values(PROVIDERS).flatMap(
    (definition) => definition.open(config, deps) ?? [],
  );
}

export interface Registry {
  all: readonly Provider[];
  /** @throws NotFound `provider_not_found`. */
  get(name: string): Provider;
}

export function createRegistry(providers: readonly Provider[]): Registry {
  const byName = new Map(providers.map((provider) => [provider.name, provider]));
  if (byName.size < providers.length) throw new Error("two providers have the same name");
  return {
    all: providers,
    get(name) {
      const provider = byName.get(name);
      if (!provider)
        throw new NotFound(
          "provider_not_found",
          "This provider does not exist. GET /api/v1/integrations/providers lists the providers.",
        );
      return provider;
    },
  };
}
