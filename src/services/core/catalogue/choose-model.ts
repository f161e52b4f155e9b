import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { CATALOGUE_CHANGED, type Pricing } from "../../completion/contract-catalogue.ts";
import type { ModelKind } from "../../completion/contract-model-kinds.ts";
import { takenFiles, type TakenFiles } from "../../completion/contract-provider-kinds.ts";
import { entriesNamed, modelUnknown } from "../../completion/contract-choose-model.ts";
import type { Selection } from "./contract-entries.ts";
import { listSelections } from "./store.ts";

/** Used for a model whose context window is unknown. */
const DEFAULT_CONTEXT_WINDOW_TOKENS = 32_000;
/** The longest time for which a change stays unseen when its notification is lost. */
const MAX_AGE_MS = 10_000;
const MAX_MODELS = 1_000;

export interface ChosenModel {
  /** Its id. */
  model: string;
  /** In tokens. */
  contextWindow: number;
  pricing: Pricing | null;
  /** The files that it takes as they are, beside images. */
  takes: TakenFiles;
  /** The catalogue says that it calls none. */
  withoutTools?: true;
}

type IsPermitted = (model: Selection) => Promise<boolean>;

export interface ModelChooser extends AsyncDisposable {
  /**
   * Chooses the model of this name: its id, or a provider's name of it. Without a name it chooses
   * the first permitted model.
   * @throws NotFound `model_unknown`, Forbidden `permission_missing`.
   */
  choose(
    name: string | undefined,
    isPermitted?: IsPermitted,
    kind?: ModelKind,
  ): Promise<ChosenModel>;
  /** The permitted fallbacks of an available model, in their order. */
  fallbacksOf(id: string, isPermitted: IsPermitted): Promise<Selection[]>;
  /** Returns the permitted models: those that answer, or of all kinds. */
  list(isPermitted: IsPermitted, kind?: "completion" | "any"): Promise<Selection[]>;
}

/**
 * Caches the catalogue, which every message needs and which rarely changes, until a notification
 * announces a change to all replicas.
 */
export async function createModelChooser(
  db: Database,
  cache: Cache,
): Promise<ModelChooser> {
  let copy:
    | { expiresAt: number; selections: ReturnType<typeof listSelections> }
    | undefined;
  const subscription = await cache.subscribe(CATALOGUE_CHANGED, () => (copy = undefined));
  const readSelections = async (wanted: ModelKind | "any") => {
    if (!copy || copy.expiresAt < performance.now()) {
      const selections = listSelections(db, MAX_MODELS, 0, "any");
      copy = { expiresAt: performance.now() + MAX_AGE_MS, selections };
      selections.catch(() => (copy = undefined));
    }
    const { items } = await copy.selections;
    return wanted === "any" ? items : items.filter(({ kind }) => kind === wanted);
  };
  return {
    async choose(name, isPermitted = async () => true, kind = "completion") {
      const selections = await readSelections(kind);
      const named = name === undefined ? selections : entriesNamed(selections, name);
      const model = await findFirst(named, isPermitted);
      if (!model) throw named.length > 0 ? notPermitted() : modelUnknown(name);
      return {
        model: model.id,
        contextWindow: model.contextWindow ?? DEFAULT_CONTEXT_WINDOW_TOKENS,
        pricing: model.pricing ?? null,
        takes: takenFiles(model.providerKind, model.providerModelId, model.capabilities),
        ...(!model.capabilities.tools && { withoutTools: true }),
      };
    },
    async fallbacksOf(id, isPermitted) {
      const selections = await readSelections("any");
      const asked = selections.find((one) => one.id === id);
      const named = (asked?.fallbacks ?? []).flatMap(
        (fallback) =>
          selections.find((one) => one.id === fallback && one.kind === asked?.kind) ?? [],
      );
      const permitted = await Promise.all(named.map(isPermitted));
      return named.filter((_, at) => permitted[at]);
    },
    async list(isPermitted, kind = "completion") {
      const selections = await readSelections(kind);
      const permitted = await Promise.all(selections.map(isPermitted));
      return selections.filter((_, at) => permitted[at]);
    },
    [Symbol.asyncDispose]: () => subscription[Symbol.asyncDispose](),
  };
}

async function findFirst(
  selections: readonly Selection[],
  isPermitted: IsPermitted,
): Promise<Selection | undefined> {
  for (const selection of selections) if (await isPermitted(selection)) return selection;
  return undefined;
}

function notPermitted(): Forbidden {
  return new Forbidden(
    "permission_missing",
    "Your roles do not permit this model (model:use). Choose another, or ask an administrator.",
  );
}

/** Call it after each change of models, providers or available models. */
export function announceCatalogueChange(cache: Cache): Promise<void> {
  return cache.publish(CATALOGUE_CHANGED, "");
}
