import { ApiError } from "../../../platform/http/errors.ts";
import { askInTurn, mayBeReplaced } from "../../../platform/in-turn/ask-in-turn.ts";
import type { Candidate } from "../../../platform/in-turn/candidate.ts";
import type { LoadSharing } from "../../../platform/in-turn/load-sharing.ts";
import type { Rests } from "../../../platform/in-turn/rests.ts";
import type { CatalogueModel } from "./catalogue-models.ts";
import type { EmbeddingModel } from "./embedding-model.ts";
import { meaningOf } from "./failure-meanings.ts";
import { embedOverHttp, type Patience, type ProviderOptions } from "./over-http.ts";

interface Deps {
  rests: Rests;
  loads: LoadSharing;
  /** The models of the catalogue that can be called now. */
  list: () => Promise<readonly CatalogueModel[]>;
  /** How each of them is called, whatever its dimensions. */
  optionsOf: (entry: CatalogueModel) => Omit<ProviderOptions, "dimensions">;
  timeoutMs: number;
}

/** Whoever others can replace is asked once more. */
const TRIES_BEFORE_NEXT = 2;
const MAX_WAIT_BEFORE_NEXT_MS = 30_000;

/** One that embeds, as the turns know it. */
interface Endpoint extends Candidate {
  entry: CatalogueModel;
}

/**
 * Embeds by a model of the catalogue and, where it fails, by the same model at other providers:
 * never by another, whose vectors could not be compared. What is embedded, and how, is the matter
 * of the one that was asked.
 */
export function embedInTurn(
  deps: Deps,
  asked: CatalogueModel,
  dimensions: number,
): EmbeddingModel["embed"] {
  const { prefixes } = asked;
  const findOthers = async () => {
    const listed = await deps.list();
    return asked.fallbacks.flatMap((id) => {
      const one = listed.find(({ availableModelId }) => availableModelId === id);
      return one && isSameModel(asked, one) ? [toEndpoint(one)] : [];
    });
  };
  const turns = {
    rests: deps.rests,
    loads: deps.loads,
    chainTimeoutMs: deps.timeoutMs,
    isWorthRepeating: () => true,
    onReplaced: () => undefined,
  };
  return async (texts, inputType, signal, payer) => {
    let vectors: number[][] = [];
    const question = { asked: toEndpoint(asked), findOthers, key: undefined };
    await askInTurn(turns, question, async ({ entry }, turn) => {
      const patience = (): Patience => {
        const left = Math.ceil(Math.min(turn.leftMs(), deps.timeoutMs));
        if (!turn.hasNext) return { timeoutMs: left };
        const timeoutMs = Math.min(MAX_WAIT_BEFORE_NEXT_MS, Math.ceil(left / 2));
        return { tries: TRIES_BEFORE_NEXT, timeoutMs };
      };
      const options = { ...deps.optionsOf(entry), prefixes, dimensions };
      try {
        const embed = embedOverHttp(options, patience);
        vectors = await embed(texts, inputType, signal, payer);
        return undefined;
      } catch (error) {
        const isKnown = error instanceof ApiError && !signal.aborted;
        if (isKnown && mayBeReplaced(meaningOf(error), turn)) return error;
        throw error;
      }
    });
    return vectors;
  };
}

function toEndpoint(entry: CatalogueModel): Endpoint {
  const { availableModelId: id, displayName: name, fallbacks, loadSharing } = entry;
  return { id, name, fallbacks, loadSharing, entry };
}

/** Vectors of different models, or of different lengths, cannot be compared. */
function isSameModel(asked: CatalogueModel, other: CatalogueModel): boolean {
  return asked.model === other.model && asked.dimensions === other.dimensions;
}
