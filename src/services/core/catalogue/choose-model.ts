import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import { Forbidden, NotFound } from "../../../platform/http/errors.ts";
import { CATALOGUE_CHANGED, type Pricing } from "../../completion/contract-catalogue.ts";
import { listSelections } from "./store.ts";

/** Tokens of history for a model whose context window nobody has told. */
const USUAL_CONTEXT = 32_000;
/** A message that was lost is made up for after this long. */
const KEPT_MS = 10_000;

export interface ChosenModel {
  /** Its id. */
  model: string;
  /** In tokens. */
  contextWindow: number;
  pricing: Pricing | null;
}

type Selection = Awaited<ReturnType<typeof listSelections>>["items"][number];
type IsPermitted = (model: Selection) => Promise<boolean>;

export interface ModelChooser extends AsyncDisposable {
  /**
   * The model of this name, which is its id or a provider's name for it; the first that is
   * permitted when none is named.
   * @throws NotFound `model_unknown`, Forbidden `permission_missing`.
   */
  choose(name: string | undefined, isPermitted?: IsPermitted): Promise<ChosenModel>;
}

/**
 * Every message asks for a model and few change the catalogue: it is kept until a change is told,
 * on every replica.
 */
export async function createModelChooser(db: Database, cache: Cache): Promise<ModelChooser> {
  let kept: { until: number; selections: ReturnType<typeof listSelections> } | undefined;
  const subscription = await cache.subscribe(CATALOGUE_CHANGED, () => (kept = undefined));
  const selections = async () => {
    if (!kept || kept.until < performance.now()) {
      const read = listSelections(db, 1_000, 0);
      kept = { until: performance.now() + KEPT_MS, selections: read };
      read.catch(() => (kept = undefined));
    }
    return (await kept.selections).items;
  };
  return {
    async choose(name, isPermitted = async () => true) {
      const items = await selections();
      const candidates =
        name === undefined
          ? items
          : items.filter(({ id, providerName, providerModelId }) =>
              [id, `${providerName}/${providerModelId}`, providerModelId].includes(name),
            );
      const chosen = await firstOf(candidates, isPermitted);
      if (!chosen && candidates.length > 0)
        throw new Forbidden(
          "permission_missing",
          "Your roles do not permit this model (model:use). Choose another, or ask an administrator.",
        );
      if (!chosen)
        throw new NotFound(
          "model_unknown",
          `There is no enabled model "${name ?? ""}". GET /api/v1/models lists what there is.`,
        );
      return {
        model: chosen.id,
        contextWindow: chosen.contextWindow ?? USUAL_CONTEXT,
        pricing: chosen.pricing ?? null,
      };
    },
    [Symbol.asyncDispose]: () => subscription[Symbol.asyncDispose](),
  };
}

async function firstOf(
  candidates: readonly Selection[],
  isPermitted: IsPermitted,
): Promise<Selection | undefined> {
  for (const candidate of candidates) if (await isPermitted(candidate)) return candidate;
  return undefined;
}

/** To be called after every change of models, providers or their combinations. */
export function tellCatalogueChanged(cache: Cache): Promise<void> {
  return cache.publish(CATALOGUE_CHANGED, "");
}
