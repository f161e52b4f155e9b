import { ApiError } from "../../../platform/http/errors.ts";
import { reportError, type ReportedError } from "../../../platform/http/reported-error.ts";
import type { ProviderKind } from "../../completion/contract-provider-kinds.ts";
import { listAvailableModels } from "./available-models.ts";
import type { ProviderProbe, ProviderTest } from "./contract-entries.ts";
import { listOfferedModels } from "./list-offered-models.ts";
import { checkConfig } from "./provider-config.ts";
import { openProvider, type ProviderDeps } from "./providers.ts";

const TIMEOUT_MS = 15_000;
const MAX_MODELS = 1_000;

/**
 * Asks a saved provider for its models, with its stored address and key. The answer does not repeat
 * the provider's own words.
 * @throws NotFound.
 */
export async function testProvider(
  deps: ProviderDeps,
  name: string,
  signal: AbortSignal,
): Promise<ProviderTest> {
  const provider = await openProvider(deps, name);
  const { items } = await listAvailableModels(
    deps.db,
    { providerName: name },
    MAX_MODELS,
    0,
  );
  const added = new Set(items.map(({ providerModelId }) => providerModelId));
  return askProvider(deps, { ...provider, added }, signal);
}

/**
 * Does the same for a config that is not saved. A masked secret is that of the saved provider
 * `name`, for the same kind and address only.
 * @throws NotFound, BadRequest for a config that its kind does not take or an address that may not
 * be called.
 */
export async function testNewProvider(
  deps: ProviderDeps,
  { kind, config: given, name }: ProviderProbe,
  signal: AbortSignal,
): Promise<ProviderTest> {
  const saved = name === undefined ? undefined : await openProvider(deps, name);
  const stored = saved?.kind === kind ? saved.config : undefined;
  const config = checkConfig(kind, given, stored, deps.endpoints);
  return askProvider(deps, { kind, config, added: new Set() }, signal);
}

interface TestedProvider {
  kind: ProviderKind;
  config: Record<string, unknown>;
  /** The provider's names of models that are in the catalogue. */
  added: ReadonlySet<string>;
}

async function askProvider(
  { endpoints }: ProviderDeps,
  { added, ...provider }: TestedProvider,
  signal: AbortSignal,
): Promise<ProviderTest> {
  const startedAt = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedAt);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const offered = await listOfferedModels(endpoints, provider, limit);
    const models = offered
      .slice(0, MAX_MODELS)
      .map((model) => ({ ...model, added: added.has(model.providerModelId) }));
    return { ok: true, latencyMs: latencyMs(), models };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, latencyMs: latencyMs(), error: toTestError(error), models: [] };
  }
}

function toTestError(error: unknown): ReportedError {
  if (error instanceof ApiError) return reportError(error);
  if (error instanceof SyntaxError)
    return {
      code: "provider_invalid",
      error: "The provider did not answer with JSON. Check its address.",
    };
  if (error instanceof DOMException && error.name === "TimeoutError")
    return {
      code: "provider_timeout",
      error: `The provider did not answer within ${TIMEOUT_MS / 1000} s. Check its address.`,
    };
  return {
    code: "provider_unreachable",
    error:
      "The provider cannot be reached. Check its address, and that this server may call it.",
  };
}
