import { ApiError } from "../../../platform/http/errors.ts";
import { readJson } from "../../../platform/http/read-json.ts";
import { JsonLimitExceeded } from "../../../platform/json/json-limits.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import {
  type OfferedModel,
  type ProviderKind,
  providerKinds,
} from "../../completion/contract-provider-kinds.ts";

/** The maximum size of a list: some providers describe hundreds of models in detail. */
const ANSWER_LIMITS = { maxBytes: 8 * 1024 * 1024, maxValues: 100_000 };

interface ListedProvider {
  kind: ProviderKind;
  config: Record<string, unknown>;
}

/**
 * Asks a provider for its models.
 * @throws ApiError `provider_…`, and what `fetch` throws.
 */
export async function listOfferedModels(
  endpoints: Outgoing,
  { kind, config }: ListedProvider,
  signal: AbortSignal,
): Promise<OfferedModel[]> {
  const list = providerKinds[kind].modelList(config);
  if (list === "built-in") return [];
  if (list === "unsupported") throw unsupported(kind);
  const response = await endpoints.fetch(list.url, { headers: list.headers, signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw toStatusError(response.status);
  }
  const models = list.answer.safeParse(await readAnswer(response));
  if (models.success) return models.data;
  throw new ApiError(
    502,
    "provider_invalid",
    "The provider did not answer with a list of models. Check its address.",
  );
}

/** Whether providers of this kind list their models. */
export function canListModels({ kind, config }: ListedProvider): boolean {
  return providerKinds[kind].modelList(config) !== "unsupported";
}

async function readAnswer(response: Response): Promise<unknown> {
  try {
    return await readJson(response, ANSWER_LIMITS);
  } catch (error) {
    if (!(error instanceof JsonLimitExceeded)) throw error;
    throw new ApiError(
      502,
      "provider_invalid",
      "The provider's list of models is too large. Check its address.",
    );
  }
}

function unsupported(kind: ProviderKind): ApiError {
  return new ApiError(
    501,
    "provider_test_unsupported",
    `${providerKinds[kind].displayName} does not list its models at this address. ` +
      "Add a model by its id and send it a message.",
  );
}

function toStatusError(status: number): ApiError {
  if (status === 401 || status === 403)
    return new ApiError(
      502,
      "provider_refused_key",
      "The provider refuses the key. Check the key and its permissions.",
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
      "The address redirects to another one. Enter the final address.",
    );
  return new ApiError(
    502,
    "provider_failed",
    `The provider answered with status ${status}. Try again later, or check its address.`,
  );
}
