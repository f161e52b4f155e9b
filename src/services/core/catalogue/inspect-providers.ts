import type { ReportedError } from "../../../platform/http/reported-error.ts";
import { type Detail, Degraded } from "../../../platform/telemetry/health.ts";
import { listProviders, openProvider, type ProviderDeps } from "./providers.ts";
import { canListModels } from "./list-offered-models.ts";
import { testProvider } from "./test-provider.ts";

const MAX_PROVIDERS = 50;
const NO_ANSWER = { code: "part_silent", message: "It does not answer." };

/** A check for each enabled provider, by name: whether it answers at its address with its key. */
export async function inspectProviders(
  deps: ProviderDeps,
  signal: AbortSignal,
): Promise<Record<string, () => Promise<void>>> {
  const filter = { enabledOnly: true, withConfig: false };
  const { items } = await listProviders(deps.db, filter, MAX_PROVIDERS, 0);
  return Object.fromEntries(
    items.map(({ name }) => [
      `model provider ${name}`,
      async () => {
        if (!canListModels(await openProvider(deps, name))) return;
        const { ok, error } = await testProvider(deps, name, signal);
        if (!ok) throw new Degraded(error ? toDetail(error) : NO_ANSWER);
      },
    ]),
  );
}

function toDetail({ error, code, params }: ReportedError): Detail {
  return { code, message: error, ...(params && { params }) };
}
