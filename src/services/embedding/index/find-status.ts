import type { z } from "zod";
import type { embeddingContract } from "../contract.ts";
import { type IndexDeps, modelInUse } from "./index-document.ts";
import { countVectors, findIndexState } from "./sets-store.ts";

type Status = z.input<typeof embeddingContract.embedStatus.ok & {}>;

/** How far a document is embedded. @returns undefined when there is none. */
export async function findStatus(deps: Pick<IndexDeps, "db" | "models">, documentId: string): Promise<Status | undefined> {
  const found = await findIndexState(deps.db, documentId);
  if (!found) return undefined;
  const { model, stored } = await modelInUse(deps);
  const failed = found.status === "FAILED" && found.error?.stage === "embedding" ? found.error : undefined;
  const of = { documentId, chunks: found.chunks, model: model.name, dimensions: model.dimensions };
  const embedded = found.setId === null ? 0 : await countVectors(deps.db, found.setId, stored.id);
  if (failed) return { ...of, embedded, status: "failed", error: { code: failed.code, message: failed.message } };
  if (found.setState === "current") return { ...of, embedded, status: "completed" };
  return { ...of, embedded, status: found.setState === "building" ? "processing" : "pending" };
}
