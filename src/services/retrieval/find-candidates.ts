import { call, type Fetch } from "../../platform/http/call.ts";
import { ApiError } from "../../platform/http/errors.ts";
import type { StoredFailure } from "../../platform/http/reported-error.ts";
import { embeddingContract } from "../embedding/contract.ts";
import type { RetrieveRequest } from "./contract-retrieve.ts";
import { measureScope } from "./extent.ts";
import { distinctness, fuseScores } from "./fuse-scores.ts";
import { type QuestionWords, readQuestion } from "./question-words.ts";
import type { Scope } from "./scope.ts";
import type { TermStatistics } from "./term-statistics.ts";
import { judgeByText, searchText, differentCandidates } from "./text-search.ts";
import { type Found, searchVectors, type VectorSearchDeps } from "./vector-search.ts";
import {
  activeModel,
  checkComparable,
  isModelChanging,
  type VectorModel,
} from "./vector-model.ts";

export interface CandidateDeps extends VectorSearchDeps {
  embedding: Fetch;
  statistics: TermStatistics;
  /** The name of the embedding provider that needs no model. */
  localProvider: string;
}

const EMBED_TIMEOUT_MS = 30_000;
/** Hashed words carry less meaning than a model's vectors, so their weight is lower. */
const HASHED_WORDS_WEIGHT = 0.25;

export interface Candidates {
  found: Found[];
  /** The number of chunks that the searches returned, before any limit or threshold. */
  considered: number;
}
export type Question = Pick<
  RetrieveRequest,
  "query" | "grade" | "similarityTopK" | "engineName"
> & {
  /** Whom the embedding of the question counts for; undefined: nobody. */
  userId: string | undefined;
};
const NO_CANDIDATES: Candidates = { found: [], considered: 0 };

/** Finds and ranks chunks of a scope, without reading their texts. */
export async function findCandidates(
  deps: CandidateDeps,
  question: Question,
  scope: Scope | Promise<Scope>,
  warnings: StoredFailure[],
  signal: AbortSignal,
): Promise<Candidates> {
  const { db, embedding, statistics } = deps;
  const model = await activeModel(db);
  if (!model) return NO_CANDIDATES;
  // embed while the scope is resolved; a failure matters only when there is something to search
  const embedded = embedQuery(embedding, model, question, signal);
  embedded.catch(() => {});
  const covered = await scope;
  const corpus = await statistics.corpus();
  const extent = await measureScope(db, covered, corpus.chunks);
  if (extent.chunks === 0) return NO_CANDIDATES;
  const search: Search = {
    ...question,
    model,
    nearest: async (limit) => searchVectors(deps, model, await embedded, extent, limit),
    words: () => readQuestion(db, statistics, question.query, corpus),
    byText: (words) => searchText(db, words, extent),
    warnVectorsFailed(error) {
      if (!(error instanceof ApiError) || signal.aborted) throw error;
      warnings.push({
        code: "searched_by_words",
        message: `The search used full text only: ${error.message}`,
      });
    },
  };
  return question.engineName === "hybrid"
    ? findByVectorsAndWords(deps, search)
    : findByVectors(deps, search);
}

/** The searches of one question in its scope. */
interface Search extends Question {
  model: VectorModel;
  /** The chunks whose vectors are nearest, best first. */
  nearest(limit: number): Promise<Found[]>;
  words(): Promise<QuestionWords>;
  byText(words: QuestionWords): ReturnType<typeof searchText>;
  /** Continues without vectors. @throws an error that is a fault of ours. */
  warnVectorsFailed(error: unknown): void;
}

async function findByVectors({ db }: CandidateDeps, search: Search): Promise<Candidates> {
  const { engineName, grade, similarityTopK } = search;
  try {
    const near = await search.nearest(similarityTopK);
    const found =
      engineName === "default" ? near : near.filter(({ score }) => score >= grade);
    return { found, considered: near.length };
  } catch (error) {
    // during a change of the model the former one may be unavailable: search by words
    if (!(await isModelChanging(db))) throw error;
    search.warnVectorsFailed(error);
    const { found } = await search.byText(await search.words());
    const fused = fuseScores([{ found, floor: 0, weight: 1 }]);
    return { found: fused, considered: fused.length };
  }
}

async function findByVectorsAndWords(
  { db, localProvider }: CandidateDeps,
  search: Search,
): Promise<Candidates> {
  const { grade, model } = search;
  const [near, matched] = await Promise.all([
    // copies have the same vector; many that are no copies have nothing of the question
    differentCandidates(search.nearest, ({ id, score }) => (score > 0 ? score : id)).catch(
      (error: unknown) => {
        search.warnVectorsFailed(error);
        return [];
      },
    ),
    search.words().then(search.byText),
  ]);
  const similar = near.filter(({ score }) => score >= grade);
  const known = new Set(matched.found.map(idOf));
  const others = await judgeByText(
    db,
    similar.map(idOf).filter((id) => !known.has(id)),
    matched,
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
  { query: text, userId }: Question,
  signal: AbortSignal,
): Promise<number[]> {
  const body = { text, inputType: "query" as const, userId };
  const options = { signal, timeoutMs: EMBED_TIMEOUT_MS };
  const vector = await call(embedding, embeddingContract.embedSingle, { body }, options);
  checkComparable(model, vector.embedding, vector.model);
  return vector.embedding;
}

function idOf({ id }: Found): string {
  return id;
}
