import { ApiError } from "../../platform/http/errors.ts";
import type { StoredFailure } from "../../platform/http/reported-error.ts";
import { addNeighbours, type FoundChunk } from "./chunk-store.ts";
import type { RetrieveRequest, RetrieveResponse } from "./contract-retrieve.ts";
import { explainNothing } from "./explain-nothing.ts";
import { type CandidateDeps, findCandidates } from "./find-candidates.ts";
import { readBest } from "./read-best.ts";
import type { Reranker } from "./rerank/reranker.ts";
import type { Scope } from "./scope.ts";

export interface RetrieveDeps extends CandidateDeps {
  rerank: Reranker;
}

/** Finds the chunks in a scope that answer a question, the best first. */
export async function retrieve(
  deps: RetrieveDeps,
  request: RetrieveRequest & { window: number; userId: string | undefined },
  scope: Scope | Promise<Scope>,
  signal: AbortSignal,
): Promise<RetrieveResponse> {
  const { db } = deps;
  const { query, similarityTopK, engineName, rerank, window } = request;
  const engineUsed = engineName === "default" ? ("advanced" as const) : engineName;
  const warnings: StoredFailure[] = [];
  const search = () => findCandidates(deps, request, scope, warnings, signal);
  const { found, considered } = await search().catch((error: unknown) => {
    // the active model may have changed between reading it and embedding the question
    if (error instanceof ApiError && error.code === "embedding_mismatch") return search();
    throw error;
  });
  const candidates = await readBest(db, request, found, similarityTopK);
  const pipeline = {
    reranked: false,
    rerankStrategy: null,
    candidatesConsidered: considered,
    warnings,
  };
  // the naive engine never reranks
  const asked =
    rerank?.enabled && engineName !== "naive" && candidates.length > 0 ? rerank : undefined;
  if (!asked) return { ...(await response(candidates)), pipeline };

  const order = await deps.rerank(
    asked.strategy,
    query,
    candidates.map(toPassage),
    request.userId,
    signal,
    candidates.map(({ metadata }) => metadata.documentId),
  );
  if ("failure" in order) {
    warnings.push(order.failure);
    return { ...(await response(candidates.slice(0, asked.topK))), pipeline };
  }
  if (order.warning) warnings.push(order.warning);
  const results = order.scores
    .flatMap(({ index, score }) =>
      candidates[index] ? [{ ...candidates[index], score }] : [],
    )
    .filter(({ score }) => score >= (asked.score ?? 0))
    .slice(0, asked.topK);
  return {
    ...(await response(results)),
    pipeline: { ...pipeline, reranked: true, rerankStrategy: asked.strategy },
  };

  async function response(chunks: readonly FoundChunk[]) {
    const results = await addNeighbours(db, chunks, window);
    const found = { results, query, totalResults: results.length, engineUsed };
    if (results.length > 0) return found;
    const notFound = await explainNothing(deps, request, await scope, candidates, signal);
    return { ...found, notFound };
  }
}

/** Returns the text for the reranker, in the language that was searched. */
function toPassage({ content, metadata: { translation, headings } }: FoundChunk): string {
  return [headings.join(" › "), translation ?? content].filter(Boolean).join("\n");
}
