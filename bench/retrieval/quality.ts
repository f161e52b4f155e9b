import type { Database } from "../../src/platform/db/database.ts";
import { testDatabase } from "../../src/platform/testing/database.ts";
import type { EmbeddingModel } from "../../src/services/embedding/models/embedding-model.ts";
import { crossEncoder } from "../../src/services/retrieval/rerank/by-cross-encoder.ts";
import { retrieve, type RetrieveDeps } from "../../src/services/retrieval/retrieve.ts";
import type { RetrieveRequest } from "../../src/services/retrieval/contract-retrieve.ts";
import { createBm25 } from "./bm25.ts";
import { halfOf, judge, type QuestionSet } from "./question-sets.ts";
import { configuredModel, openStore, retrievalOver, storeDocument } from "./store.ts";

export interface Quality {
  set: string;
  half: "work" | "scored";
  how: string;
  "recall@10": number;
  "nDCG@10": number;
  questions: number;
}

/** Returns what answers a question, the best first, as the set judges it. */
type Way = (question: QuestionSet["questions"][number]) => Promise<string[]>;

const RERANKER = process.env["RERANKER_SERVICE_URL"];

/**
 * Recall and nDCG of the first ten of a question set, for each way of retrieving and beside it
 * BM25, by the halves of the questions.
 */
export async function retrievalQuality(set: QuestionSet, most: number): Promise<Quality[]> {
  await using db = await testDatabase();
  const model = configuredModel();
  const ways = { BM25: await peer(db, set), ...(await ours(db, model, set)) };
  const questions = set.questions.filter(
    (_, n) => n % Math.max(1, Math.floor(set.questions.length / most)) === 0,
  );
  const rows: Quality[] = [];
  for (const [how, find] of Object.entries(ways)) {
    const sums = {
      work: { recall: 0, ndcg: 0, questions: 0 },
      scored: { recall: 0, ndcg: 0, questions: 0 },
    };
    for (const question of questions) {
      const { recall, ndcg } = judge(await find(question), set.answers.get(question.id));
      const sum = sums[halfOf(question.text)];
      sum.recall += recall;
      sum.ndcg += ndcg;
      sum.questions += 1;
    }
    for (const half of ["work", "scored"] as const) {
      const { recall, ndcg, questions: count } = sums[half];
      const share = (value: number) => Number((value / Math.max(1, count)).toFixed(4));
      const figures = {
        "recall@10": share(recall),
        "nDCG@10": share(ndcg),
        questions: count,
      };
      rows.push({ set: set.name, half, how, ...figures });
    }
  }
  return rows;
}

/** One row for each set and half, with the nDCG of each way; the last rows are the means. */
export function besideEachOther(
  rows: readonly Quality[],
): Record<string, string | number>[] {
  const ways = [...new Set(rows.map(({ how }) => how))];
  const table = (["work", "scored"] as const).flatMap((half) => {
    const halves = Map.groupBy(
      rows.filter((row) => row.half === half),
      ({ set }) => set,
    );
    const lines = [...halves].map(([set, found]) => ({
      set,
      half,
      ...Object.fromEntries(found.map((row) => [row.how, row["nDCG@10"]])),
    }));
    const meanOf = (how: string) => {
      const figures = rows.filter((row) => row.half === half && row.how === how);
      const sum = figures.reduce((total, row) => total + row["nDCG@10"], 0);
      return Number((sum / figures.length).toFixed(4));
    };
    const means = Object.fromEntries(ways.map((how) => [how, meanOf(how)]));
    return [...lines, { set: "mean", half, ...means }];
  });
  return table.toSorted(
    (one, other) => Number(one.set === "mean") - Number(other.set === "mean"),
  );
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
  const deps = retrievalOver(db, model, (_, ...asked) => rerank(...asked));
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
  const request = { grade: 0, similarityTopK: 50, window: 0, ...ask, query };
  const { results } = await retrieve(
    deps,
    request,
    { kind: "all" },
    AbortSignal.timeout(60_000),
  );
  return results.map(({ metadata }) => metadata.chunkId);
}
