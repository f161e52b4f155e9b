import { ApiError, Conflict } from "../../platform/http/errors.ts";
import { slicePage } from "../../platform/http/page.ts";
import { reportError } from "../../platform/http/reported-error.ts";
import type { RouteOkInput } from "../../platform/http/route.ts";
import type { Routes } from "../../platform/http/routes.ts";
import { embeddingContract as contract, LOCAL_PROVIDER, MAX_TEXTS } from "./contract.ts";
import type { ModelChoice, modelContract } from "./contract-model.ts";
import { payerOf } from "./admit-embedding.ts";
import { cancelChange, chooseModel } from "./index/adopt-model.ts";
import type { IndexDeps } from "./index/attempt.ts";
import {
  activeModel,
  countEmbedded,
  countMissing,
  countRefused,
  nextModel,
  type StoredModel,
} from "./index/models-store.ts";
import {
  type CandidateDeps,
  listCandidates,
  measureDimensions,
  type OfferedModel,
  openCandidate,
} from "./models/candidates.ts";

export interface ModelDeps extends Pick<IndexDeps, "db" | "models"> {
  candidates: CandidateDeps;
}

/** The choice of the embedding model. */
export function modelRoutes(routes: Routes, deps: ModelDeps): Routes {
  const { db, models, candidates } = deps;
  return routes
    .on(contract.embedModel, () => describeModel(deps))
    .on(contract.modelCandidates, async ({ query }) => {
      const page = slicePage(query, await listCandidates(candidates));
      const [active, next] = [await activeModel(db), await nextModel(db)];
      const useOf = (one: OfferedModel) => {
        if (isSame(one, active)) return "current" as const;
        return isSame(one, next) ? ("next" as const) : null;
      };
      return { ...page, items: page.items.map((one) => ({ ...one, use: useOf(one) })) };
    })
    .on(contract.testModel, ({ caller, body, signal }) =>
      testModel(deps, body, signal, payerOf(caller)),
    )
    .on(contract.chooseModel, async ({ caller, body, signal }) => {
      const candidate = await openCandidate(candidates, body);
      const dimensions = await measureDimensions(candidate, signal, payerOf(caller));
      await chooseModel(db, { ...candidate, dimensions }, models.configured);
      return { ...(await describeModel(deps)), chosen: candidate.name };
    })
    .on(contract.cancelModelChange, async () => {
      const active = await activeModel(db);
      if (active && !(await models.find(active)))
        throw new Conflict(
          "embedding_former_unreachable",
          "The model in use cannot be asked any more, so that the change to the next one has to " +
            "go on. Choose another model instead.",
        );
      const cancelled = (await nextModel(db))?.name ?? null;
      await cancelChange(db, models.configured);
      return { ...(await describeModel(deps)), cancelled };
    });
}

type ModelState = RouteOkInput<typeof modelContract.embedModel>;

/** The model in use, also while it cannot be reached, and the one that will replace it. */
async function describeModel({
  db,
  models,
}: Pick<IndexDeps, "db" | "models">): Promise<ModelState> {
  const active = await activeModel(db);
  const reachable = !active || (await models.find(active)) !== undefined;
  const { name, provider, dimensions } = active ?? models.configured;
  const next = await nextModel(db);
  return {
    model: name,
    provider,
    dimensions,
    availableModelId: active?.availableModelId ?? null,
    reachable,
    maxBatchSize: MAX_TEXTS,
    local: provider === LOCAL_PROVIDER,
    refused: active ? await countRefused(db, active.id) : 0,
    next: next
      ? {
          model: next.name,
          dimensions: next.dimensions,
          reachable: (await models.find(next)) !== undefined,
          failure: next.failure,
          ...(await countEmbedded(db, next.id)),
        }
      : null,
  };
}

async function testModel(
  { db, candidates }: ModelDeps,
  choice: ModelChoice,
  signal: AbortSignal,
  payer: string | undefined,
) {
  const candidate = await openCandidate(candidates, choice);
  const { name: model } = candidate;
  const startedAt = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedAt);
  try {
    const dimensions = await measureDimensions(candidate, signal, payer);
    const answered = { ok: true, model, dimensions, latencyMs: latencyMs() };
    return { ...answered, chunks: await countMissing(db, { name: model, dimensions }) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ok: false, model, latencyMs: latencyMs(), error: reportError(error) };
  }
}

function isSame(one: OfferedModel, stored: StoredModel | undefined): boolean {
  return (
    one.model === stored?.name &&
    one.availableModelId === stored.availableModelId &&
    (one.dimensions ?? stored.dimensions) === stored.dimensions
  );
}
