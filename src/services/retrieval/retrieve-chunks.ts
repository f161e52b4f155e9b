import { call, type Fetch } from "../../platform/http/call.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { ApiError, Conflict } from "../../platform/http/errors.ts";
import type { Database } from "../../platform/db/database.ts";
import { embeddingContract } from "../embedding/contract.ts";
import type { Rerank, RetrieveRequest, RetrieveResponse } from "./contract.ts";
import { joinRanks } from "./join-ranks.ts";
import { findModel, type Found, nearestChunks, type SearchModel } from "./nearest-chunks.ts";
import { type ReadChunk, readChunks, readNeighbours } from "./read-chunks.ts";
import type { Reranker } from "./rerank/reranker.ts";
import { isEmpty, type Scope, scopeFor } from "./scope.ts";
import type { MatchText } from "./text-matches.ts";

export interface RetrievalDeps {
  db: Database;
  matchText: MatchText;
  rerankers: Record<Rerank["strategy"], Reranker>;
  embedding: () => Fetch;
  documents: () => Fetch;
  users: () => Fetch;
  /** How long a question may take to be embedded. */
  embedTimeoutMs: number;
}

type Scored = ReadChunk & { score: number };

/** `hybrid` looks further down both lists than it answers. */
const DEEPEST = 100;
/** Hashed words see what full text sees, less exactly: the best that was measured (design `reference/retrieval.md` 2.4). */
const BUILTIN_WEIGHT = 0.5;

/**
 * The chunks that answer a question, the best first.
 * @returns at most `rerank.topK`, or `similarityTopK` results.
 * @throws Conflict `embedding_model_changed` when the stored vectors are of another model than the question's; what the embedding service throws.
 * Source: requirements 2 "Retrieval service".
 */
export async function retrieveChunks(
  deps: RetrievalDeps,
  caller: Caller,
  ask: RetrieveRequest & { window: number },
  signal: AbortSignal,
): Promise<RetrieveResponse> {
  const { db } = deps;
  const { query, grade, similarityTopK, engineName, rerank, window } = ask;
  const scope = await scopeFor(deps, caller, ask);
  const warnings: string[] = [];
  const found = isEmpty(scope) ? [] : await candidates(deps, ask, scope, warnings, signal);
  const chunks = await readChunks(
    db,
    found.map(({ chunkId }) => chunkId),
  );
  let results: Scored[] = found.flatMap(({ chunkId, score }) => {
    const chunk = chunks.get(chunkId);
    return chunk ? [{ ...chunk, score }] : [];
  });
  const candidatesConsidered = results.length;
  let reranked = false;
  if (engineName === "naive") results = results.filter(({ score }) => score >= grade);
  else if (rerank?.enabled && results.length > 0) {
    const better = await rerankResults(deps.rerankers[rerank.strategy], rerank, query, results, warnings, signal);
    reranked = better !== undefined;
    results = (better ?? results).slice(0, rerank.topK ?? similarityTopK);
  }
  const around =
    window > 0 && results.length > 0
      ? await readNeighbours(
          db,
          results.map(({ metadata }) => metadata.chunkId),
          window,
        )
      : undefined;
  return {
    results: results.map(({ content, score, metadata }) => ({
      content,
      score,
      metadata,
      ...(around && { neighbours: around.get(metadata.chunkId) ?? [] }),
    })),
    query,
    totalResults: results.length,
    engineUsed: engineName === "default" ? "advanced" : engineName,
    pipeline: { reranked, rerankStrategy: reranked && rerank ? rerank.strategy : null, candidatesConsidered, warnings },
  };
}

async function candidates(
  deps: RetrievalDeps,
  { query, grade, similarityTopK, engineName }: RetrieveRequest,
  scope: Scope,
  warnings: string[],
  signal: AbortSignal,
): Promise<Found[]> {
  const { db, matchText } = deps;
  if (engineName !== "hybrid") {
    const { vector, model } = await embedQuery(deps, query, signal);
    return nearestChunks(db, model, vector, scope, similarityTopK);
  }
  const [near, matching] = await Promise.all([
    embedQuery(deps, query, signal)
      .then(async ({ vector, model }) => ({
        found: (await nearestChunks(db, model, vector, scope, DEEPEST)).filter(({ score }) => score >= grade),
        weight: model.provider === "builtin" ? BUILTIN_WEIGHT : 1,
      }))
      .catch((error: unknown) => {
        if (!(error instanceof ApiError) || signal.aborted) throw error;
        warnings.push(`Searched by full text alone: ${error.message}`);
        return undefined;
      }),
    matchText(query, scope, DEEPEST),
  ]);
  return joinRanks([...(near ? [near] : []), { found: matching, weight: 1 }], similarityTopK);
}

/** The question's vector and the model that stored vectors must be of. Asked once more when the model changed in between. */
async function embedQuery(
  deps: RetrievalDeps,
  text: string,
  signal: AbortSignal,
): Promise<{ vector: number[]; model: SearchModel }> {
  for (let attempt = 1; ; attempt += 1) {
    const { embedding, model, dimensions } = await call(
      deps.embedding(),
      embeddingContract.embedSingle,
      { body: { text, inputType: "query" } },
      { signal, timeoutMs: deps.embedTimeoutMs },
    );
    const found = await findModel(deps.db, model, dimensions);
    if (found?.state === "active" || (found?.state === "retired" && attempt > 1)) return { vector: embedding, model: found };
    if (attempt > 1) throw modelChanged(model, dimensions);
  }
}

export function modelChanged(model: string, dimensions: number): Conflict {
  return new Conflict(
    "embedding_model_changed",
    `The stored vectors are not of the model ${model} with ${dimensions} dimensions. Ask with a vector of the model that GET /api/v1/embed/model names.`,
  );
}

/** @returns undefined when the reranker could not, with a warning that says why: the answer comes nevertheless. */
async function rerankResults(
  reranker: Reranker,
  { score: least = 0, strategy }: Rerank,
  query: string,
  results: readonly Scored[],
  warnings: string[],
  signal: AbortSignal,
): Promise<Scored[] | undefined> {
  try {
    const scored = await reranker.score(
      query,
      results.map(({ text }) => text),
      signal,
    );
    const said = new Set(scored.map(({ index }) => index));
    const missing = results.flatMap((_, index) => (said.has(index) ? [] : [{ index, score: 0 }]));
    return [...scored, ...missing].flatMap(({ index, score }) => {
      const result = results[index];
      return result && score >= least ? [{ ...result, score }] : [];
    });
  } catch (error) {
    if (!(error instanceof ApiError) || signal.aborted) throw error;
    warnings.push(`Not reranked (${strategy}): ${error.message}`);
    return undefined;
  }
}
