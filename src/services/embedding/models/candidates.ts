import { BadRequest, NotFound } from "../../../platform/http/errors.ts";
import { LOCAL_PROVIDER, MAX_DIMENSIONS } from "../contract.ts";
import type { Candidate, ModelChoice } from "../contract-model.ts";
import { toProviderOptions } from "./all-models.ts";
import type { CatalogueModel } from "./catalogue-models.ts";
import type { EmbeddingModel } from "./embedding-model.ts";
import { DEFAULT_DIMENSIONS } from "./hashed-words.ts";
import { embedOverHttp } from "./over-http.ts";
import { canShorten } from "./protocols.ts";

export type CandidateDeps = Parameters<typeof toProviderOptions>[0] & {
  catalogue: { list(): Promise<readonly CatalogueModel[]> };
};

/** A model that may be chosen. */
export type OpenCandidate = Pick<
  EmbeddingModel,
  "name" | "provider" | "embed" | "availableModelId" | "server"
> & {
  /** Absent: the model's own number. */
  dimensions: number | undefined;
};

/** A candidate without its present use. */
export type OfferedModel = Omit<Candidate, "use">;

const TEST_TIMEOUT_MS = 15_000;
const SAMPLE = "A short text.";

/** The model of the environment, the built-in one, and those of the catalogue. */
export async function listCandidates(deps: CandidateDeps): Promise<OfferedModel[]> {
  const { configured } = deps.environment;
  const own: OfferedModel[] = [toOffered("environment", configured)];
  if (configured.provider !== LOCAL_PROVIDER)
    own.push(toOffered("built-in", deps.environment.builtIn));
  const listed = (await deps.catalogue.list()).map((entry) => ({
    source: "catalogue" as const,
    availableModelId: entry.availableModelId,
    displayName: entry.displayName,
    model: entry.model,
    provider: entry.kind,
    providerName: entry.providerName,
    dimensions: dimensionsOf(entry) ?? null,
  }));
  return [...own, ...listed];
}

/** @throws NotFound `embedding_model_not_found`. */
export async function openCandidate(
  deps: CandidateDeps,
  choice: ModelChoice,
): Promise<OpenCandidate> {
  const { configured } = deps.environment;
  if (choice.source === "environment") return configured;
  if (choice.source === "built-in")
    return configured.provider === LOCAL_PROVIDER ? configured : deps.environment.builtIn;
  const { availableModelId: id } = choice;
  const entry = (await deps.catalogue.list()).find((one) => one.availableModelId === id);
  if (!entry)
    throw new NotFound(
      "embedding_model_not_found",
      "The catalogue has no enabled embedding model with this id, of an enabled provider that " +
        "embeds texts. GET /api/v1/embed/model/candidates lists the models.",
    );
  const options = { ...toProviderOptions(deps, entry), dimensions: dimensionsOf(entry) };
  return {
    name: entry.model,
    provider: entry.kind,
    dimensions: options.dimensions,
    availableModelId: id,
    server: entry.endpoint.url,
    embed: embedOverHttp({ ...options, timeoutMs: TEST_TIMEOUT_MS }),
  };
}

/**
 * Embeds a short text.
 * @returns the number of dimensions of its vector.
 * @throws BadRequest `embedding_dimensions_too_many`, and what the model throws.
 */
export async function measureDimensions(
  { embed }: OpenCandidate,
  signal: AbortSignal,
  payer: string | undefined,
): Promise<number> {
  const [vector = []] = await embed([SAMPLE], "passage", signal, payer);
  if (vector.length <= MAX_DIMENSIONS) return vector.length;
  throw new BadRequest(
    "embedding_dimensions_too_many",
    `The model makes vectors of ${vector.length} numbers, more than ${MAX_DIMENSIONS}. ` +
      "Choose another model, or state fewer dimensions in the catalogue if it can shorten them.",
    { params: { dimensions: vector.length, max: MAX_DIMENSIONS } },
  );
}

/**
 * A model that can shorten its vectors gets the default number, unless the catalogue states one.
 */
function dimensionsOf({ dimensions, model }: CatalogueModel): number | undefined {
  return dimensions ?? (canShorten(model) ? DEFAULT_DIMENSIONS : undefined);
}

function toOffered(
  source: "environment" | "built-in",
  { name, provider, dimensions }: EmbeddingModel,
): OfferedModel {
  return {
    source,
    availableModelId: null,
    displayName: name,
    model: name,
    provider,
    providerName: null,
    dimensions,
  };
}
