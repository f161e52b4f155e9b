import type { Database } from "../../platform/db/database.ts";
import { call, type Fetch } from "../../platform/http/call.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { embeddingContract } from "../embedding/contract.ts";
import { type FoundChunk, readChunks, withNeighbours } from "./chunk-store.ts";
import type { RetrieveRequest, RetrieveResponse } from "./contract.ts";
import { measureScope } from "./extent.ts";
import { fuseScores } from "./fuse-scores.ts";
import type { Reranker } from "./rerank/reranker.ts";
import type { Scope } from "./scope.ts";
import type { TermStatistics } from "./term-statistics.ts";
import { judgeByText, readQuestion, searchText } from "./text-search.ts";
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
  /** Of the embedding service's provider that needs no model. */
  localProvider: string;
}

const EMBED_TIMEOUT_MS = 30_000;
/** Candidates of each kind of search that a hybrid one joins. */
const JOINED = 100;
/**
 * Hashed words say less than a model's vectors, so beside full text they count a third. Source:
 * measured, docs/retrieval.md.
 */
const WEIGHT_OF_HASHES = 0.3;

/**
 * The chunks in a scope that answer a question, the best first. Source: requirements 2, "Retrieval
 * service".
 */
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
  const found = await search().catch((error: unknown) => {
    // the model may have changed between looking which is in use and asking it
    if (error instanceof ApiError && error.code === "embedding_mismatch") return search();
    throw error;
  });
  const candidates = await readChunks(db, found.slice(0, similarityTopK));
  const pipeline = {
    reranked: false,
    rerankStrategy: null,
    candidatesConsidered: candidates.length,
    warnings,
  };
  // requirements 2: the naive engine returns directly, without reranking
  const asked =
    rerank?.enabled && engineName !== "naive" && candidates.length > 0 ? rerank : undefined;
  if (!asked) return { ...(await response(candidates)), pipeline };

  const order = await deps.rerank(asked.strategy, query, candidates.map(searchedText), signal);
  if ("failure" in order) {
    warnings.push(order.failure);
    return { ...(await response(candidates.slice(0, asked.topK))), pipeline };
  }
  const results = order.scores
    .flatMap(({ index, score }) => (candidates[index] ? [{ ...candidates[index], score }] : []))
    .filter(({ score }) => score >= (asked.score ?? 0))
    .slice(0, asked.topK);
  return {
    ...(await response(results)),
    pipeline: { ...pipeline, reranked: true, rerankStrategy: asked.strategy },
  };

  async function response(chunks: readonly FoundChunk[]) {
    const results = await withNeighbours(db, chunks, window);
    return { results, query, totalResults: results.length, engineUsed };
  }
}

async function findCandidates(
  { db, embedding, statistics, localProvider }: RetrieveDeps,
  { query, grade, similarityTopK, engineName }: RetrieveRequest,
  scope: Scope | Promise<Scope>,
  warnings: string[],
  signal: AbortSignal,
): Promise<Found[]> {
  const model = await activeModel(db);
  if (!model) return [];
  // while it is found out what may be searched; what comes of it is of interest only if there is
  // something
  const embedded = embedQuery(embedding, model, query, signal);
  embedded.catch(() => {});
  const extent = await measureScope(db, await scope, (await statistics.corpus()).chunks);
  if (extent.chunks === 0) return [];
  const nearest = async (limit: number) => searchVectors(db, model, await embedded, extent, limit);
  const byWordsAlone = (error: unknown) => {
    if (!(error instanceof ApiError) || signal.aborted) throw error;
    warnings.push(`Searched by words alone: ${error.message}`);
    return [];
  };
  if (engineName !== "hybrid") {
    try {
      const near = await nearest(similarityTopK);
      return engineName === "default" ? near : near.filter(({ score }) => score >= grade);
    } catch (error) {
      // nobody may be left to ask the former model: there are answers all the while
      if (!(await isModelChanging(db))) throw error;
      byWordsAlone(error);
      const found = await searchText(db, await readQuestion(db, statistics, query), extent);
      return fuseScores([{ found, floor: 0, weight: 1 }]);
    }
  }
  const wanted = readQuestion(db, statistics, query);
  const [near, said] = await Promise.all([
    nearest(JOINED).catch(byWordsAlone),
    wanted.then((words) => searchText(db, words, extent)),
  ]);
  const similar = near.filter(({ score }) => score >= grade);
  const known = new Set(said.map(idOf));
  const others = await judgeByText(
    db,
    await wanted,
    similar.map(idOf).filter((id) => !known.has(id)),
  );
  const byWords = [...said, ...others].toSorted((one, other) => other.score - one.score);
  return fuseScores([
    {
      found: similar,
      floor: near.at(-1)?.score ?? 0,
      weight: model.provider === localProvider ? WEIGHT_OF_HASHES : 1,
    },
    { found: byWords, floor: 0, weight: 1 },
  ]);
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

/** What a reranker reads: the text in the language that was searched. */
function searchedText({ content, metadata: { translation, headings } }: FoundChunk): string {
  return [headings.join(" › "), translation ?? content].filter(Boolean).join("\n");
}
