import type { Database } from "../../platform/db/database.ts";
import { call, type Fetch } from "../../platform/http/call.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { embeddingContract } from "../embedding/contract.ts";
import { type FoundChunk, readChunks, addNeighbours } from "./chunk-store.ts";
import type { RetrieveRequest, RetrieveResponse } from "./contract-retrieve.ts";
import { measureScope } from "./extent.ts";
import { distinctness, fuseScores } from "./fuse-scores.ts";
import type { Reranker } from "./rerank/reranker.ts";
import type { Scope } from "./scope.ts";
import type { TermStatistics } from "./term-statistics.ts";
import { readQuestion } from "./question-words.ts";
import { judgeByText, searchText } from "./text-search.ts";
import {
  activeModel,
  checkComparable,
  type Found,
  isModelChanging,
  searchVectors,
  type VectorModel,
} from "./vector-search.ts";

export interface RetrieveDeps {
  db: Database;
  embedding: Fetch;
  statistics: TermStatistics;
  rerank: Reranker;
  /** The name of the embedding provider that needs no model. */
  localProvider: string;
}

const EMBED_TIMEOUT_MS = 30_000;
/** The most candidates of the vector search in a hybrid search. */
const MAX_HYBRID_CANDIDATES = 100;
/** Hashed words carry less meaning than a model's vectors, so their weight is lower. */
const HASHED_WORDS_WEIGHT = 0.25;

/** Finds the chunks in a scope that answer a question, the best first. */
export async function retrieve(
  deps: RetrieveDeps,
  request: RetrieveRequest & { window: number },
  scope: Scope | Promise<Scope>,
  signal: AbortSignal,
): Promise<RetrieveResponse> {
  const { db } = deps;
  const { query, similarityTopK, engineName, rerank, window } = request;
  const engineUsed = engineName === "default" ? ("advanced" as const) : engineName;
  const warnings: string[] = [];
  const search = () => findCandidates(deps, request, scope, warnings, signal);
  const { found, considered } = await search().catch((error: unknown) => {
    // the active model may have changed between reading it and embedding the question
    if (error instanceof ApiError && error.code === "embedding_mismatch") return search();
    throw error;
  });
  const candidates = await readChunks(db, found.slice(0, similarityTopK));
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

  const order = await deps.rerank(asked.strategy, query, candidates.map(toPassage), signal);
  if ("failure" in order) {
    warnings.push(order.failure);
    return { ...(await response(candidates.slice(0, asked.topK))), pipeline };
  }
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
    return { results, query, totalResults: results.length, engineUsed };
  }
}

export interface Candidates {
  found: Found[];
  /** The number of chunks that the searches returned, before any limit or threshold. */
  considered: number;
}
export type Question = Pick<
  RetrieveRequest,
  "query" | "grade" | "similarityTopK" | "engineName"
>;
const NO_CANDIDATES: Candidates = { found: [], considered: 0 };

/** Finds and ranks chunks of a scope, without reading their texts. */
export async function findCandidates(
  { db, embedding, statistics, localProvider }: RetrieveDeps,
  { query, grade, similarityTopK, engineName }: Question,
  scope: Scope | Promise<Scope>,
  warnings: string[],
  signal: AbortSignal,
): Promise<Candidates> {
  const model = await activeModel(db);
  if (!model) return NO_CANDIDATES;
  // embed while the scope is resolved; a failure matters only when there is something to search
  const embedded = embedQuery(embedding, model, query, signal);
  embedded.catch(() => {});
  const extent = await measureScope(db, await scope, (await statistics.corpus()).chunks);
  if (extent.chunks === 0) return NO_CANDIDATES;
  const nearest = async (limit: number) =>
    searchVectors(db, model, await embedded, extent, limit);
  const warnVectorsFailed = (error: unknown) => {
    if (!(error instanceof ApiError) || signal.aborted) throw error;
    warnings.push(`The search used full text only: ${error.message}`);
    return [];
  };
  if (engineName !== "hybrid") {
    try {
      const near = await nearest(similarityTopK);
      const found =
        engineName === "default" ? near : near.filter(({ score }) => score >= grade);
      return { found, considered: near.length };
    } catch (error) {
      // during a change of the model the former one may be unavailable: search by words
      if (!(await isModelChanging(db))) throw error;
      warnVectorsFailed(error);
      const { found } = await searchText(
        db,
        await readQuestion(db, statistics, query),
        extent,
      );
      const fused = fuseScores([{ found, floor: 0, weight: 1 }]);
      return { found: fused, considered: fused.length };
    }
  }
  const wanted = readQuestion(db, statistics, query);
  const [near, matched] = await Promise.all([
    nearest(MAX_HYBRID_CANDIDATES).catch(warnVectorsFailed),
    wanted.then((words) => searchText(db, words, extent)),
  ]);
  const similar = near.filter(({ score }) => score >= grade);
  const known = new Set(matched.found.map(idOf));
  const others = await judgeByText(
    db,
    await wanted,
    similar.map(idOf).filter((id) => !known.has(id)),
    matched.documentScores,
  );
  const byWords = [...matched.found, ...others].toSorted(
    (one, other) => other.score - one.score,
  );
  const fused = fuseScores([
    {
      found: similar,
      floor: near.at(-1)?.score ?? 0,
      weight:
        model.provider === localProvider ? HASHED_WORDS_WEIGHT * distinctness(near) : 1,
    },
    { found: byWords, floor: 0, weight: 1 },
  ]);
  const considered = new Set([...near, ...byWords].map(idOf)).size;
  return { found: fused, considered };
}

async function embedQuery(
  embedding: Fetch,
  model: VectorModel,
  text: string,
  signal: AbortSignal,
): Promise<number[]> {
  const body = { text, inputType: "query" as const };
  const options = { signal, timeoutMs: EMBED_TIMEOUT_MS };
  const vector = await call(embedding, embeddingContract.embedSingle, { body }, options);
  checkComparable(model, vector.embedding, vector.model);
  return vector.embedding;
}

function idOf({ id }: Found): string {
  return id;
}

/** Returns the text for the reranker, in the language that was searched. */
function toPassage({ content, metadata: { translation, headings } }: FoundChunk): string {
  return [headings.join(" › "), translation ?? content].filter(Boolean).join("\n");
}
