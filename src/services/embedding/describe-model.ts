import type { RouteOkInput } from "../../platform/http/route.ts";
import { LOCAL_PROVIDER, MAX_TEXTS } from "./contract.ts";
import type { modelContract } from "./contract-model.ts";
import type { IndexDeps } from "./index/attempt.ts";
import {
  activeModel,
  countEmbedded,
  nextModel,
  countRefused,
} from "./index/models-store.ts";

type ModelState = RouteOkInput<typeof modelContract.embedModel>;

/** The model in use, also while it cannot be reached, and the one that will replace it. */
export async function describeModel({
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
