import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import { isUuid } from "../../../platform/uuid.ts";
import type { Attributes } from "../../documents/contract-attributes.ts";
import { fileId } from "../../documents/openai-api/contract-ids.ts";
import type { RetrieveResult } from "../contract-retrieve.ts";
import { retrieve, type RetrieveDeps } from "../retrieve.ts";
import { scopeOf } from "../scope.ts";
import { folderNotFound } from "../../documents/contract-not-found.ts";
import {
  DEFAULT_RESULTS,
  type SearchRequest,
  type StoreResult,
  type StoreResults,
} from "./contract-search.ts";

interface SearchDeps extends RetrieveDeps {
  documents: Fetch;
  users: Fetch;
}

const MIN_CANDIDATES = 5;
/** As many candidates as a search takes, for the reranker to choose from. */
const RERANKED_CANDIDATES = 50;

/**
 * Searches vector stores, or without any all documents that the user may see.
 * @throws NotFound `folder_not_found` for a store that the user may not see.
 */
export async function searchFiles(
  deps: SearchDeps,
  { userId, folderIds, asked }: Search,
  signal: AbortSignal,
): Promise<StoreResults> {
  if (folderIds?.some((id) => !isUuid(id))) throw folderNotFound();
  const named = { folderIds, attributes: asked.filters ?? undefined };
  const scope = await scopeOf(deps, userId, named, signal);
  const questions = typeof asked.query === "string" ? [asked.query] : asked.query;
  const best = new Map<string, RetrieveResult>();
  for (const query of questions) {
    const request = { ...toRequest(query, asked), userId, window: 0 };
    const { results } = await retrieve(deps, request, scope, signal);
    for (const result of results) keepBest(best, result);
  }
  const results = chooseBest([...best.values()], asked);
  return {
    object: "vector_store.search_results.page",
    search_query: questions,
    data: await toStoreResults(deps.db, folderIds ?? [], results),
    has_more: false,
    next_page: null,
  };
}

interface Search {
  userId: string;
  folderIds?: readonly string[] | undefined;
  asked: SearchRequest;
}

function toRequest(query: string, { max_num_results, ranking_options }: SearchRequest) {
  const wanted = max_num_results ?? DEFAULT_RESULTS;
  const enabled = (ranking_options?.ranker ?? "none") !== "none";
  const similarityTopK = enabled ? RERANKED_CANDIDATES : Math.max(wanted, MIN_CANDIDATES);
  const rerank = { enabled, strategy: "bge" as const, topK: wanted };
  return { query, grade: 0, similarityTopK, engineName: "hybrid" as const, rerank };
}

function keepBest(best: Map<string, RetrieveResult>, result: RetrieveResult): void {
  const { chunkId } = result.metadata;
  const before = best.get(chunkId);
  if (!before || before.score < result.score) best.set(chunkId, result);
}

function chooseBest(
  results: RetrieveResult[],
  { max_num_results, ranking_options }: SearchRequest,
): RetrieveResult[] {
  const least = ranking_options?.score_threshold ?? 0;
  return results
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score)
    .slice(0, max_num_results ?? DEFAULT_RESULTS);
}

async function toStoreResults(
  db: Database,
  folderIds: readonly string[],
  results: readonly RetrieveResult[],
): Promise<StoreResult[]> {
  const ids = [...new Set(results.map(({ metadata }) => metadata.documentId))];
  const rows = await db.query<{ id: string; attributes: Attributes }>(sql`
    select document_id as id, attributes from documents.store_files
    where folder_id = any (${[...folderIds]}::uuid[]) and document_id = any (${ids}::uuid[])`);
  const attributes = new Map(rows.map((row) => [row.id, row.attributes]));
  return results.map(({ content, score, metadata: { documentId, fileName } }) => ({
    file_id: fileId(documentId),
    filename: fileName,
    score,
    attributes: attributes.get(documentId) ?? {},
    content: [{ type: "text", text: content }],
  }));
}
