import { Degraded } from "../../../platform/telemetry/health.ts";
import { listProviders, type ProviderDeps } from "./providers.ts";
import { testProvider } from "./test-provider.ts";

const MAX_PROVIDERS = 50;

/**
 * Whether each enabled provider of models answers with its address and key: by name, a check that
 * asks it.
 */
export async function inspectProviders(
  deps: ProviderDeps,
  signal: AbortSignal,
): Promise<Record<string, () => Promise<void>>> {
  const { items } = await listProviders(
    deps.db,
    { enabledOnly: true, open: false },
    MAX_PROVIDERS,
    0,
  );
  return Object.fromEntries(
    items.map(({ name }) => [
      `model provider ${name}`,
      async () => {
        const { ok, error } = await testProvider(deps, name, signal);
        if (!ok) throw new Degraded(error?.error ?? "It does not answer.");
      },
    ]),
  );
}
