import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { addNeighbours, type FoundChunk, readChunks } from "./chunk-store.ts";
import type { ExplainRequest, Explanation } from "./contract-explanation.ts";
import { ENGINES, type RetrieveResult } from "./contract-retrieve.ts";
import { measureScope } from "./extent.ts";
import { readQuestion } from "./question-words.ts";
import { type CandidateDeps, findCandidates, type Question } from "./find-candidates.ts";
import { readBest } from "./read-best.ts";
import type { Scope } from "./scope.ts";
import { searchText } from "./text-search.ts";

/** How deep a ranking is searched for the document. */
const MAX_RANK = 200;

type UserQuestion = ExplainRequest & Pick<Question, "userId">;

interface Scopes {
  /** What the question is asked of. */
  all: Promise<Scope>;
  /** The document, as far as the user may see it. */
  document: Promise<Scope>;
}

type Reason = Explanation["engines"][number]["reason"];
type StoredDocument = Pick<Explanation, "fileName" | "status"> & { isIndexed: boolean };

/** Says for each engine whether a document is found by a question, and why not. */
export async function explain(
  deps: CandidateDeps,
  ask: UserQuestion,
  scopes: Scopes,
  signal: AbortSignal,
): Promise<Explanation> {
  const scope = await scopes.document;
  const isVisible = scope.kind === "documents" && scope.ids.length > 0;
  const document = isVisible ? await findDocument(deps.db, ask.documentId) : undefined;
  if (!document) return unsearched("no_access", { fileName: null, status: null });
  if (!document.isIndexed) return unsearched("not_indexed", document);
  const own = await searchDocument(deps, ask, scope, signal);
  if (!own) return unsearched("no_text", document);
  const engines = await Promise.all(
    ENGINES.map(async (engineName) => {
      const question = { ...ask, engineName, similarityTopK: MAX_RANK };
      const { found } = await findCandidates(deps, question, scopes.all, [], signal);
      const ranked = await readBest(deps.db, question, found, MAX_RANK);
      const rank = rankOf(ask.documentId, ranked);
      return { engineName, rank, reason: reasonFor({ ...ask, engineName }, own, rank) };
    }),
  );
  const { fileName, status } = document;
  return { fileName, status, ...own, engines };
}

/** The answer about a document of which nothing can be searched. */
function unsearched(
  reason: Reason,
  { fileName, status }: Pick<StoredDocument, "fileName" | "status">,
): Explanation {
  const engines = ENGINES.map((engineName) => ({ engineName, reason, rank: null }));
  return {
    fileName,
    status,
    similarity: null,
    matchesWords: false,
    passage: null,
    engines,
  };
}

async function findDocument(db: Database, id: string): Promise<StoredDocument | undefined> {
  const [document] = await db.query<StoredDocument>(
    sql`select file_name as "fileName", status,
      (status = 'PROCESSED' or indexing is not null) as "isIndexed"
    from documents.documents where id = ${id}`,
  );
  return document;
}

interface OwnResult {
  similarity: number;
  matchesWords: boolean;
  passage: RetrieveResult | null;
}

/** What the question finds in the document alone; undefined where it has no text. */
async function searchDocument(
  deps: CandidateDeps,
  { query, userId }: UserQuestion,
  scope: Scope,
  signal: AbortSignal,
): Promise<OwnResult | undefined> {
  const { db, statistics } = deps;
  const nearestOne = { grade: 0, similarityTopK: 1, engineName: "default" } as const;
  const question: Question = { query, userId, ...nearestOne };
  const { found } = await findCandidates(deps, question, scope, [], signal);
  const [nearest] = await addNeighbours(db, await readChunks(db, found), 0);
  if (!nearest) return undefined;
  const corpus = await statistics.corpus();
  const extent = await measureScope(db, scope, corpus.chunks);
  const asked = await readQuestion(db, statistics, query, corpus);
  const words = await searchText(db, asked, extent);
  const matchesWords = words.found.length > 0;
  return { similarity: nearest.score, matchesWords, passage: nearest };
}

/** The place of the document's best chunk in a ranking, from 1. */
function rankOf(documentId: string, ranked: readonly FoundChunk[]): number | null {
  const at = ranked.findIndex(({ metadata }) => metadata.documentId === documentId);
  return at < 0 ? null : at + 1;
}

function reasonFor(
  { engineName, grade, similarityTopK }: Question,
  { similarity, matchesWords }: OwnResult,
  rank: number | null,
): Reason {
  if (rank !== null) return rank <= similarityTopK ? "found" : "outranked";
  const isNear = engineName === "default" || similarity >= grade;
  const isCandidate = isNear || (engineName === "hybrid" && matchesWords);
  return isCandidate ? "outranked" : "below_grade";
}
