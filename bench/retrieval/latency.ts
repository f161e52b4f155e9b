import sql, { raw } from "sql-template-tag";
import type { Database } from "../../src/platform/db/database.ts";
import { testDatabase } from "../../src/platform/testing/database.ts";
import { hashWords } from "../../src/services/embedding/models/hashed-words.ts";
import { indexModel } from "../../src/services/embedding/index/models-store.ts";
import { vectorText } from "../../src/services/embedding/index/sets-store.ts";
import { retrieve } from "../../src/services/retrieval/retrieve.ts";
import type { Scope } from "../../src/services/retrieval/scope.ts";
import { activeModel, searchVectors, type VectorModel } from "../../src/services/retrieval/vector-search.ts";
import { interleaved, median } from "../measure.ts";
import { openStore, retrievalOver, storeDocument } from "./store.ts";

const DOCUMENTS = 20;
/** Of each document's share: a filter that leaves a twentieth. */
const QUESTIONS = 40;

export interface LatencyResult {
  figures: Record<string, Record<string, number>>;
  /** Share of the exact first ten that the index finds. */
  recall: { all: number; filtered: number };
  chunks: number;
}

/**
 * Retrieval over many chunks: embedding the question, the search, the chunks and what they cite, beside the bare SQL of the vector search with
 * the same index and settings. Texts are pieces of the given ones put together anew, so that neighbours are as near as in real stores.
 */
export async function retrievalLatency(
  passages: readonly string[],
  questions: readonly string[],
  chunks: number,
  rounds: number,
): Promise<LatencyResult> {
  await using db = await testDatabase();
  await openStore(db);
  // one by one into the index takes long: it is made again over all of them
  await db.query(sql`drop index documents.embeddings_hnsw_1`);
  const documents = await fill(db, passages, chunks);
  const stored = await activeModel(db);
  if (!stored) throw new Error("no model is in use");
  await db.tx(() => indexModel(db, { ...stored, state: "active" }), { unbounded: true });
  await db.query(sql`analyze documents.embeddings`);
  await db.query(sql`analyze documents.chunks`);
  await db.query(sql`analyze documents.chunk_sets`);
  const model = stored;
  const asked = questions.slice(0, QUESTIONS);
  const deps = retrievalOver(db, async () => ({ failure: "not asked here" }));
  const request = { grade: 0, similarityTopK: 20, engineName: "default" as const, window: 0 };
  const signal = AbortSignal.timeout(3_600_000);
  const times = async (work: (question: string) => Promise<unknown>) => {
    const took: number[] = [];
    for (const question of asked) {
      const startedAt = performance.now();
      await work(question);
      took.push(performance.now() - startedAt);
    }
    return { "ms, median": median(took) };
  };
  const one: Scope = { kind: "documents", ids: [documents[0] ?? ""] };
  const figures = await interleaved(
    [
      { name: "bare SQL", run: () => times((question) => bareSearch(db, model, vectorText(hashWords(question)))) },
      { name: "retrieve, default", run: () => times((query) => retrieve(deps, { ...request, query }, { kind: "all" }, signal)) },
      { name: "retrieve, one document", run: () => times((query) => retrieve(deps, { ...request, query }, one, signal)) },
      {
        name: "retrieve, hybrid",
        run: () => times((query) => retrieve(deps, { ...request, engineName: "hybrid", query }, { kind: "all" }, signal)),
      },
    ],
    rounds,
  );
  const quarter: Scope = { kind: "documents", ids: documents.slice(0, DOCUMENTS / 4) };
  return {
    figures,
    recall: { all: await recallOf(db, model, asked, { kind: "all" }), filtered: await recallOf(db, model, asked, quarter) },
    chunks,
  };
}

async function fill(db: Database, passages: readonly string[], chunks: number): Promise<string[]> {
  const sentences = passages
    .flatMap((passage) => passage.split(/(?<=[.!?])\s+|\n{2,}/))
    .filter((sentence) => sentence.length > 30);
  const each = Math.ceil(chunks / DOCUMENTS);
  const ids: string[] = [];
  const random = randomFrom(7);
  for (let document = 0; document < DOCUMENTS; document += 1) {
    const texts = Array.from({ length: each }, () =>
      Array.from({ length: 4 }, () => sentences[Math.floor(random() * sentences.length)] ?? "").join(" "),
    );
    ids.push((await storeDocument(db, `document ${document}`, texts)).documentId);
  }
  return ids;
}

/** The same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647) / 2_147_483_647;
}

/** What one would write by hand. */
async function bareSearch(db: Database, { id, dimensions, indexType }: VectorModel, vector: string): Promise<unknown> {
  const indexed = raw(`${indexType}(${dimensions})`);
  return db.tx(async () => {
    await db.query(sql`select set_config('hnsw.ef_search', '120', true)`);
    return db.query(sql`select c.id, c.content from documents.embeddings e join documents.chunks c on c.id = e.chunk_id
      where e.model_id = ${raw(String(id))} order by (e.embedding::${indexed}) <=> ${vector}::${indexed} limit 20`);
  });
}

async function recallOf(db: Database, model: VectorModel, questions: readonly string[], scope: Scope): Promise<number> {
  let found = 0;
  for (const question of questions) {
    const vector = hashWords(question);
    const exact = await searchVectors(db, model, vector, scope, 10, Infinity);
    const near = await searchVectors(db, model, vector, scope, 10);
    // of equally near ones any is right
    const least = (exact.at(-1)?.score ?? 0) - 1e-6;
    found += near.filter(({ score }) => score >= least).length;
  }
  return Number((found / (questions.length * 10)).toFixed(4));
}
