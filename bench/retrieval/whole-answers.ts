import { testDatabase } from "../../src/platform/testing/database.ts";
import {
  loadByteRanks,
  pieceCounter,
} from "../../src/services/embedding/chunking/byte-pairs.ts";
import { cutText } from "../../src/services/embedding/chunking/cut-text.ts";
import { cutOptionsOf } from "../../src/services/embedding/cut-options.ts";
import { retrieve } from "../../src/services/retrieval/retrieve.ts";
import { readQuestionSet } from "./question-sets.ts";
import { configuredModel, openStore, retrievalOver, storeDocument } from "./store.ts";

const FIRST = 5;

export interface WholeAnswers {
  set: string;
  /**
   * Questions whose answering passages all lie, from their first to their last character, within
   * the first five chunks.
   */
  "answers whole, %": number;
  questions: number;
  chunks: number;
}

interface Place {
  document: number;
  start: number;
  end: number;
}

/**
 * Measures whether answers stay whole when documents are cut with the default settings: joins the
 * passages of one document, cuts the text and asks the questions.
 */
export async function wholeAnswers(folder: string, name: string): Promise<WholeAnswers> {
  const set = await readQuestionSet(folder, name);
  const texts = new Map<string, string>();
  const places = new Map<string, Place>();
  for (const { id, title, text } of set.passages) {
    const document = title || id.replace(/#.*$/, "");
    const before = texts.has(document) ? `${texts.get(document)}\n\n` : "";
    texts.set(document, before + text);
    places.set(id, {
      document: [...texts.keys()].indexOf(document),
      start: before.length,
      end: before.length + text.length,
    });
  }
  const countPiece = pieceCounter(await loadByteRanks());
  await using db = await testDatabase();
  const model = configuredModel();
  await openStore(db, model);
  const chunks = new Map<string, Place>();
  for (const [document, text] of [...texts.values()].entries()) {
    const cut = cutText(text, cutOptionsOf({}), countPiece);
    const { chunkIds } = await storeDocument(
      db,
      model,
      `${document}`,
      cut.map(({ content }) => content),
    );
    for (const [n, { start, end }] of cut.entries())
      chunks.set(chunkIds[n] ?? "", { document, start, end });
  }
  const deps = retrievalOver(db, model, async () => ({
    failure: { code: "reranker_missing", message: "not asked here" },
  }));
  const request = {
    grade: 0,
    similarityTopK: FIRST,
    engineName: "hybrid",
    window: 0,
  } as const;
  let whole = 0;
  for (const { id, text: query } of set.questions) {
    const { results } = await retrieve(
      deps,
      { ...request, query, userId: undefined },
      { kind: "all" },
      AbortSignal.timeout(60_000),
    );
    const found = results.flatMap(({ metadata }) => chunks.get(metadata.chunkId) ?? []);
    const answers = [...(set.answers.get(id) ?? [])].flatMap(
      (passage) => places.get(passage) ?? [],
    );
    if (answers.length > 0 && answers.every((answer) => covered(answer, found))) whole += 1;
  }
  const share = Number(((100 * whole) / set.questions.length).toFixed(1));
  return {
    set: name,
    "answers whole, %": share,
    questions: set.questions.length,
    chunks: chunks.size,
  };
}

/** White space between two chunks belongs to neither. */
function covered({ document, start, end }: Place, chunks: readonly Place[]): boolean {
  let reached = start;
  for (const chunk of chunks
    .filter((one) => one.document === document)
    .toSorted((one, other) => one.start - other.start))
    if (chunk.start <= reached + 2) reached = Math.max(reached, chunk.end);
  return reached >= end;
}
