import { z } from "zod";
import { ApiError } from "../../../platform/http/errors.ts";
import { readJson } from "../../../platform/http/read-json.ts";
import { JsonLimitExceeded } from "../../../platform/json/json-limits.ts";
import { providerKinds, type ProviderKind } from "../../completion/contract-catalogue.ts";
import { listAvailableModels } from "./available-models.ts";
import type { ProviderProbe, ProviderTest } from "./contract-entries.ts";
import { contextWindowOf, kindOfModel, type ListedKind, ModelHints } from "./classify-model.ts";
import { readConfig } from "./provider-config.ts";
import { openProvider, type ProviderDeps } from "./providers.ts";

export type Offered = {
  providerModelId: string;
  displayName: string;
  kind: ListedKind;
  contextWindow?: number | undefined;
}[];

const TIMEOUT_MS = 15_000;
const MAX_MODELS = 1_000;
/** Some describe hundreds of models at length. */
const MAX_ANSWER = { maxBytes: 8 * 1024 * 1024, maxValues: 100_000 };

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
  const { items } = await listAvailableModels(deps.db, { providerName: name }, MAX_MODELS, 0);
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
  const before = saved?.kind === kind ? saved.config : undefined;
  const config = readConfig(kind, given, before, deps.outgoing);
  return askProvider(deps, { kind, config, added: new Set() }, signal);
}

interface TestedProvider {
  kind: ProviderKind;
  config: Record<string, unknown>;
  /** The provider's names of models that are in the catalogue. */
  added: ReadonlySet<string>;
}

async function askProvider(
  deps: ProviderDeps,
  { kind, config, added }: TestedProvider,
  signal: AbortSignal,
): Promise<ProviderTest> {
  const startedAt = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedAt);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const offered = await listOffered(deps, kind, config, limit);
    const models = offered
      .slice(0, MAX_MODELS)
      .map((model) => ({ ...model, added: added.has(model.providerModelId) }));
    return { ok: true, latencyMs: latencyMs(), models };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, latencyMs: latencyMs(), error: explained(error), models: [] };
  }
}

/** @throws ApiError `provider_…`, and what `fetch` throws. */
export async function listOffered(
  { outgoing }: ProviderDeps,
  kind: ProviderKind,
  config: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Offered> {
  const list = listing(kind, config);
  if (!list) return [];
  const response = await outgoing.fetch(list.url, { headers: list.headers, signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw refused(response.status);
  }
  const parsed = list.read.safeParse(await offeredJson(response));
  if (!parsed.success)
    throw new ApiError(
      502,
      "provider_invalid",
      "The provider answered, but not with a list of models. Check its address.",
    );
  return parsed.data;
}

const trimmed = (url: string) => url.replace(/\/+$/, "");
const bearer = (key: string | undefined): Record<string, string> =>
  key ? { authorization: `Bearer ${key}` } : {};

const OpenAiList = z
  .object({
    data: z.array(ModelHints.extend({ id: z.string(), display_name: z.string().optional() })),
  })
  .transform(({ data }): Offered =>
    data.map(({ id, display_name: name, ...hints }) => toOffered(id, name, hints)),
  );
const GoogleList = z
  .object({
    models: z.array(ModelHints.extend({ name: z.string(), displayName: z.string().optional() })),
  })
  .transform(({ models }): Offered =>
    models.map(({ name, displayName, ...hints }) =>
      toOffered(name.replace(/^models\//, ""), displayName, hints),
    ),
  );
const OllamaList = z
  .object({ models: z.array(ModelHints.extend({ name: z.string() })) })
  .transform(({ models }): Offered =>
    models.map(({ name, ...hints }) => toOffered(name, undefined, hints)),
  );

function toOffered(id: string, displayName: string | undefined, hints: ModelHints) {
  return {
    providerModelId: id,
    displayName: displayName ?? id,
    kind: kindOfModel(id, hints),
    contextWindow: contextWindowOf(hints),
  };
}

interface Listing {
  url: string;
  headers: Record<string, string>;
  read: z.ZodType<Offered>;
}

/**
 * Where each kind lists its models, by its own API reference. Undefined where nothing is to be
 * asked.
 */
function listing(kind: ProviderKind, config: Record<string, unknown>): Listing | undefined {
  switch (kind) {
    case "openai": {
      const { apiKey, baseUrl = "https://api.openai.com/v1" } =
        providerKinds.openai.config.parse(config);
      return { url: `${trimmed(baseUrl)}/models`, headers: bearer(apiKey), read: OpenAiList };
    }
    case "openai-compatible": {
      const { apiKey, baseUrl } = providerKinds["openai-compatible"].config.parse(config);
      return { url: `${trimmed(baseUrl)}/models`, headers: bearer(apiKey), read: OpenAiList };
    }
    case "mistral": {
      const { apiKey, baseUrl = "https://api.mistral.ai/v1" } =
        providerKinds.mistral.config.parse(config);
      return { url: `${trimmed(baseUrl)}/models`, headers: bearer(apiKey), read: OpenAiList };
    }
    case "anthropic": {
      const { apiKey, baseUrl = "https://api.anthropic.com/v1" } =
        providerKinds.anthropic.config.parse(config);
      const headers = { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
      return { url: `${trimmed(baseUrl)}/models?limit=1000`, headers, read: OpenAiList };
    }
    case "google": {
      const { apiKey, baseUrl = "https://generativelanguage.googleapis.com/v1beta" } =
        providerKinds.google.config.parse(config);
      return {
        url: `${trimmed(baseUrl)}/models?pageSize=1000`,
        headers: { "x-goog-api-key": apiKey },
        read: GoogleList,
      };
    }
    case "azure": {
      const { apiKey, endpoint, apiVersion } = providerKinds.azure.config.parse(config);
      const url = `${trimmed(endpoint)}/openai/models?api-version=${encodeURIComponent(apiVersion)}`;
      return { url, headers: { "api-key": apiKey }, read: OpenAiList };
    }
    case "ollama": {
      const { baseUrl = "http://127.0.0.1:11434" } = providerKinds.ollama.config.parse(config);
      return { url: `${trimmed(baseUrl)}/api/tags`, headers: {}, read: OllamaList };
    }
    case "bedrock":
      throw new ApiError(
        501,
        "provider_test_unsupported",
        "Amazon Bedrock does not list its models at the address that answers. Add a model by its id and send it a message.",
      );
    case "offline":
      return undefined;
  }
}

async function offeredJson(response: Response): Promise<unknown> {
  try {
    return await readJson(response, MAX_ANSWER);
  } catch (error) {
    if (!(error instanceof JsonLimitExceeded)) throw error;
    throw new ApiError(
      502,
      "provider_invalid",
      "The provider's list of models is too large to be one.",
    );
  }
}

function refused(status: number): ApiError {
  if (status === 401 || status === 403)
    return new ApiError(
      502,
      "provider_refused_key",
      "The provider refuses the key. Check it, and what it may do.",
    );
  if (status === 404)
    return new ApiError(
      502,
      "provider_address_wrong",
      "There is no list of models at this address. Check the address.",
    );
  if (status >= 300 && status < 400)
    return new ApiError(
      502,
      "provider_redirects",
      "The address leads elsewhere. Enter the one where it ends.",
    );
  return new ApiError(
    502,
    "provider_failed",
    `The provider answered with status ${status}. Try again later, or check its address.`,
  );
}

function explained(error: unknown): { code: string; error: string } {
  if (error instanceof ApiError) return { code: error.code, error: error.message };
  if (error instanceof SyntaxError)
    return {
      code: "provider_invalid",
      error: "The provider answered, but not with JSON. Check its address.",
    };
  if (error instanceof DOMException && error.name === "TimeoutError")
    return {
      code: "provider_timeout",
      error: `The provider did not answer within ${TIMEOUT_MS / 1000} s.`,
    };
  return {
    code: "provider_unreachable",
    error: "The provider cannot be reached. Check its address, and that this server may call it.",
  };
}
