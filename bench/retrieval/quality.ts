import type { Database } from "../../src/platform/db/database.ts";
import { testDatabase } from "../../src/platform/testing/database.ts";
import type { EmbeddingModel } from "../../src/services/embedding/models/embedding-model.ts";
import { crossEncoder } from "../../src/services/retrieval/rerank/by-cross-encoder.ts";
import { retrieve, type RetrieveDeps } from "../../src/services/retrieval/retrieve.ts";
import type { RetrieveRequest } from "../../src/services/retrieval/contract-retrieve.ts";
import { createBm25 } from "./bm25.ts";
import { halfOf, judge, type QuestionSet } from "./question-sets.ts";
import { configuredModel, openStore, retrievalOver, storeDocument } from "./store.ts";

/** How well one way answers one question of a set. */
export interface Answered {
  set: string;
  half: "work" | "scored";
  how: string;
  recall: number;
  ndcg: number;
}

/** Returns what answers a question, the best first, as the set judges it. */
type Way = (question: QuestionSet["questions"][number]) => Promise<string[]>;

const RERANKER = process.env["RERANKER_SERVICE_URL"];

/**
 * Asks the questions of a set in each way of retrieving and, beside them, BM25.
 * @param most about how many of the questions.
 */
export async function retrievalQuality(
  set: QuestionSet,
  most: number,
): Promise<Answered[]> {
  await using db = await testDatabase();
  const model = configuredModel();
  const ways = { BM25: await peer(db, set), ...(await ours(db, model, set)) };
  const questions = set.questions.filter(
    (_, n) => n % Math.max(1, Math.floor(set.questions.length / most)) === 0,
  );
  const answered: Answered[] = [];
  for (const [how, find] of Object.entries(ways))
    for (const question of questions)
      answered.push({
        set: set.name,
        half: halfOf(question.text),
        how,
        ...judge(await find(question), set.answers.get(question.id)),
      });
  return answered;
}

async function peer(db: Database, set: QuestionSet): Promise<Way> {
  const rank = await createBm25(db, set);
  return async ({ text, language }) =>
    rank(text, language)
      .slice(0, 50)
      .map((at) => set.passages[at]?.doc ?? "");
}

async function ours(
  db: Database,
  model: EmbeddingModel,
  set: QuestionSet,
): Promise<Record<string, Way>> {
  await openStore(db, model);
  const judged = new Map<string, string>();
  for (const [document, passages] of Map.groupBy(set.passages, ({ cutFrom }) => cutFrom)) {
    const texts = passages.map(({ title, text }) => (title ? `${title}\n${text}` : text));
    const { chunkIds } = await storeDocument(db, model, document, texts);
    for (const [n, id] of chunkIds.entries()) judged.set(id, passages[n]?.doc ?? "");
  }
  const rerank = crossEncoder({
    fetch,
    url: RERANKER,
    model: process.env["RERANKER_MODEL"],
    apiKey: process.env["RERANKER_API_KEY"],
  });
  const deps = retrievalOver(db, model, (_, query, passages, __, signal) =>
    rerank(query, passages, signal),
  );
  const way =
    (ask: Pick<RetrieveRequest, "engineName" | "rerank">): Way =>
    async ({ text }) =>
      (await find(deps, text, ask)).map((id) => judged.get(id) ?? "");
  return {
    default: way({ engineName: "default" }),
    hybrid: way({ engineName: "hybrid" }),
    // with a reranker where there is one: without, it would be the order of hybrid once more
    ...(RERANKER && {
      "hybrid, reranked": way({
        engineName: "hybrid",
        rerank: { enabled: true, strategy: "bge" },
      }),
    }),
  };
}

/** Returns the ids of chunks, the best first. */
async function find(
  deps: RetrieveDeps,
  query: string,
  ask: Pick<RetrieveRequest, "engineName" | "rerank">,
): Promise<string[]> {
  const request = {
    grade: 0,
    similarityTopK: 50,
    window: 0,
    ...ask,
    query,
    userId: undefined,
  };
  const { results } = await retrieve(
    deps,
    request,
    { kind: "all" },
    AbortSignal.timeout(60_000),
  );
  return results.map(({ metadata }) => metadata.chunkId);
}
