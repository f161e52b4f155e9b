import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { addNeighbours, type FoundChunk, readChunks } from "./chunk-store.ts";
import {
  MAX_NAMED,
  MAX_NEAREST,
  type NothingFound,
  type RetrieveRequest,
} from "./contract-retrieve.ts";
import { type CandidateDeps, findCandidates, type Question } from "./find-candidates.ts";
import { isNamed, type Scope, statementName } from "./scope.ts";

type UserRequest = RetrieveRequest & Pick<Question, "userId">;

/** The least number of candidates that a search takes. */
const CANDIDATES = 5;

/**
 * Says why a search found nothing, and what is nearest. Speaks only of documents in the scope,
 * which the user may see, and of how many of the named ones are not.
 * @param candidates what a reranker judged to be below the threshold
 */
export async function explainNothing(
  deps: CandidateDeps,
  request: UserRequest,
  scope: Scope,
  candidates: readonly FoundChunk[],
  signal: AbortSignal,
): Promise<NothingFound> {
  const { db } = deps;
  const { total, waitingCount, waiting } = await countDocuments(db, scope);
  const named = new Set(request.docIds).size;
  const common = {
    waiting,
    waitingCount,
    unavailable: request.docIds ? Math.max(0, named - total) : 0,
    nearest: [],
  };
  if (total === 0)
    return { ...common, reason: named > 0 ? "not_available" : "no_documents" };
  if (waitingCount === total) return { ...common, reason: "not_processed" };
  const nearest =
    candidates.length > 0 ? candidates : await findNearest(deps, request, scope, signal);
  return {
    ...common,
    reason: "below_threshold",
    nearest: await addNeighbours(db, nearest.slice(0, MAX_NEAREST), 0),
  };
}

interface Counts {
  total: number;
  waitingCount: number;
  waiting: NothingFound["waiting"];
}

/** Counts the documents of a scope; those of the user are in the index by owner. */
async function countDocuments(db: Database, scope: Scope): Promise<Counts> {
  const isWaiting = sql`status <> 'PROCESSED' and indexing is null`;
  const [counts] = await db.query<Counts>(
    sql`with scope as (
        select id, file_name, status, indexing, updated_at from documents.documents d
        where ${isNamed(scope)}),
      newest as (
        select * from scope where ${isWaiting} order by updated_at desc, id desc limit ${MAX_NAMED})
    select (select count(*)::int from scope) as total,
      (select count(*)::int from scope where ${isWaiting}) as "waitingCount",
      coalesce((select jsonb_agg(jsonb_build_object('documentId', id, 'fileName', file_name,
        'status', status) order by updated_at desc, id desc) from newest), '[]') as waiting`,
    statementName("retrieval-count-documents", scope),
  );
  return counts ?? { total: 0, waitingCount: 0, waiting: [] };
}

/** The nearest chunks by vector, whatever the threshold; none that have nothing in common. */
async function findNearest(
  deps: CandidateDeps,
  { query, userId }: UserRequest,
  scope: Scope,
  signal: AbortSignal,
): Promise<FoundChunk[]> {
  const question = {
    query,
    userId,
    grade: 0,
    similarityTopK: CANDIDATES,
    engineName: "default",
  } as const;
  const search = findCandidates(deps, question, scope, [], signal);
  const { found } = await search.catch((error: unknown) => {
    // the answer is that nothing was found, whether or not vectors can be compared now
    if (!(error instanceof ApiError) || signal.aborted) throw error;
    return { found: [] };
  });
  return readChunks(
    deps.db,
    found.filter(({ score }) => score > 0),
  );
}
