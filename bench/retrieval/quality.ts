import { testDatabase } from "../../src/platform/testing/database.ts";
import { crossEncoder } from "../../src/services/retrieval/rerank/by-cross-encoder.ts";
import { retrieve, type RetrieveDeps } from "../../src/services/retrieval/retrieve.ts";
import type { RetrieveRequest } from "../../src/services/retrieval/contract.ts";
import { measureScope } from "../../src/services/retrieval/extent.ts";
import { readQuestion, searchText } from "../../src/services/retrieval/text-search.ts";
import { judge, readQuestionSet } from "./question-sets.ts";
import { configuredModel, openStore, retrievalOver, storeDocument } from "./store.ts";

export interface Quality {
  set: string;
  /** That makes the vectors. */
  model: string;
  how: string;
  "recall@10": number;
  "nDCG@10": number;
  questions: number;
}

/**
 * Measured on these sets: PostgreSQL full text, BM25 with stemming. Source: design `quality.md`.
 */
export const BARS: Record<string, string> = {
  "xquad-en": "nDCG .970",
  "docs-de": "nDCG .659",
  "codebase-chunks": "recall .826",
};

const RERANKER = process.env["RERANKER_SERVICE_URL"];
const WAYS = [
  { how: "vector", engineName: "default" },
  { how: "words" },
  { how: "hybrid", engineName: "hybrid" },
  // with a reranker where there is one: without, it would be the order of hybrid once more
  ...(RERANKER
    ? [
        {
          how: "hybrid + rerank",
          engineName: "hybrid",
          rerank: { enabled: true, strategy: "bge" },
        } as const,
      ]
    : []),
] as const;

/**
 * Recall and nDCG of the first ten, for each question set of a folder and each way of retrieving.
 */
export async function retrievalQuality(
  folder: string,
  sets: readonly string[],
  most: number,
): Promise<Quality[]> {
  const rows: Quality[] = [];
  const model = configuredModel();
  for (const name of sets) {
    const set = await readQuestionSet(folder, name);
    await using db = await testDatabase();
    await openStore(db, model);
    const { chunkIds } = await storeDocument(
      db,
      model,
      name,
      set.passages.map(({ title, text }) =>
        title ? `${title.replaceAll("_", " ")}\n${text}` : text,
      ),
    );
    const judged = new Map(chunkIds.map((id, n) => [id, set.passages[n]?.doc ?? ""]));
    const rerank = crossEncoder({
      fetch,
      url: RERANKER,
      model: process.env["RERANKER_MODEL"],
      apiKey: process.env["RERANKER_API_KEY"],
    });
    const deps = retrievalOver(db, model, (_, ...asked) => rerank(...asked));
    const questions = set.questions.filter(
      (_, n) => n % Math.max(1, Math.floor(set.questions.length / most)) === 0,
    );
    for (const { how, ...ask } of WAYS as readonly ({ how: string } & Partial<RetrieveRequest>)[]) {
      const sum = { recall: 0, ndcg: 0 };
      for (const { id, text } of questions) {
        const { recall, ndcg } = judge(
          (await find(deps, text, ask)).map((id) => judged.get(id) ?? ""),
          set.answers.get(id) ?? new Set(),
        );
        sum.recall += recall;
        sum.ndcg += ndcg;
      }
      const share = (value: number) => Number((value / questions.length).toFixed(4));
      rows.push({
        set: name,
        model: model.name,
        how,
        "recall@10": share(sum.recall),
        "nDCG@10": share(sum.ndcg),
        questions: questions.length,
      });
    }
  }
  return rows;
}

/** Ids of chunks, the best first. */
async function find(
  deps: RetrieveDeps,
  query: string,
  ask: Partial<RetrieveRequest>,
): Promise<string[]> {
  const scope = { kind: "all" } as const;
  if (ask.engineName === undefined) {
    const wanted = await readQuestion(deps.db, deps.statistics, query);
    return (
      await searchText(deps.db, wanted, await measureScope(deps.db, scope, wanted.chunks))
    ).map(({ id }) => id);
  }
  const request = {
    grade: 0,
    similarityTopK: 50,
    window: 0,
    engineName: ask.engineName,
    ...ask,
    query,
  };
  return (await retrieve(deps, request, scope, AbortSignal.timeout(60_000))).results.map(
    ({ metadata }) => metadata.chunkId,
  );
}
