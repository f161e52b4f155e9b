import type { z } from "zod";
import type { embeddingContract } from "../contract.ts";
import type { IndexDeps } from "./attempt.ts";
import { activeModel, nextModel, type StoredModel } from "./models-store.ts";
import { countVectors, findIndexState } from "./sets-store.ts";

type Status = z.input<typeof embeddingContract.embedStatus.ok & {}>;

/** The state of a document's index. @returns undefined when there is none. */
export async function findStatus(
  deps: Pick<IndexDeps, "db" | "models">,
  documentId: string,
): Promise<Status | undefined> {
  const found = await findIndexState(deps.db, documentId);
  if (!found) return undefined;
  const stored = await reportedModel(deps);
  if (!stored) return undefined;
  const failed = found.status === "FAILED" ? found.error : undefined;
  const of = {
    documentId,
    chunks: found.chunks,
    model: stored.name,
    dimensions: stored.dimensions,
  };
  const embedded =
    found.setId === null ? 0 : await countVectors(deps.db, found.setId, stored.id);
  if (failed)
    return {
      ...of,
      embedded,
      status: "failed",
      error: { code: failed.code, message: failed.message },
    };
  if (found.setState === "current") return { ...of, embedded, status: "completed" };
  return {
    ...of,
    embedded,
    status: found.setState === "building" ? "processing" : "pending",
  };
}

/** The model in use; if that is no longer configured, the one that replaces it. */
async function reportedModel({
  db,
  models,
}: Pick<IndexDeps, "db" | "models">): Promise<StoredModel | undefined> {
  const active = await activeModel(db);
  if (active && (await models.find(active))) return active;
  return (await nextModel(db)) ?? active;
}
