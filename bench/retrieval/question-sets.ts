import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Passage {
  id: string;
  /** The id of the document that is judged, where several passages belong to one. */
  doc: string;
  /** The document or page that it was cut from. */
  cutFrom: string;
  title: string;
  text: string;
  /** Absent: the language of the set. */
  language?: string | undefined;
}

export interface QuestionSet {
  name: string;
  /** Undefined in a set whose passages and questions each have a language of their own. */
  language: string | undefined;
  passages: Passage[];
  questions: { id: string; text: string; language?: string }[];
  /** The ids of the passages that answer each question. */
  answers: Map<string, Set<string>>;
}

/** The languages of the known sets. */
export const LANGUAGES: Record<string, string> = {
  "xquad-en": "en",
  "codebase-chunks": "en",
  "docs-de": "de",
};

/**
 * The half of a question: methods and parameters are chosen by the half for work, and judged by the
 * half that is only scored.
 */
export function halfOf(question: string): "work" | "scored" {
  const [first = 0] = createHash("sha256").update(question).digest();
  return first % 2 === 0 ? "work" : "scored";
}

/** Reads a set in the layout of BEIR: corpus.jsonl, queries.jsonl, qrels.tsv. */
export async function readQuestionSet(folder: string, name: string): Promise<QuestionSet> {
  const lines = async (file: string) =>
    (await readFile(join(folder, name, file), "utf8"))
      .split("\n")
      .filter((line) => line !== "");
  const rows = (await lines("qrels.tsv")).slice(1).map((line) => line.split("\t"));
  const answers = new Map<string, Set<string>>();
  for (const [question = "", passage = "", score] of rows)
    if (Number(score) > 0)
      answers.set(question, (answers.get(question) ?? new Set()).add(passage));
  const judged = new Set([...answers.values()].flatMap((ids) => [...ids]));
  const passages = (await lines("corpus.jsonl")).map((line) => {
    const {
      _id: id,
      title,
      text,
      doc,
    } = JSON.parse(line) as { _id: string; title: string; text: string; doc?: string };
    return { id, title: title.replaceAll("_", " "), text, cutFrom: doc ?? id };
  });
  const byDoc = passages.some(({ cutFrom }) => judged.has(cutFrom));
  const questions = (await lines("queries.jsonl")).map((line) => {
    const { _id: id, text } = JSON.parse(line) as { _id: string; text: string };
    return { id, text };
  });
  return {
    name,
    language: LANGUAGES[name],
    passages: passages.map((passage) => ({
      ...passage,
      doc: byDoc ? passage.cutFrom : passage.id,
    })),
    questions: questions.filter(({ id }) => answers.has(id)),
    answers,
  };
}

/** Of the first ten: how many of the answers are there, and how far up. */
export function judge(
  ranked: readonly string[],
  answers: ReadonlySet<string> = new Set(),
): { recall: number; ndcg: number } {
  const first = [...new Set(ranked)].slice(0, 10);
  const gain = first.reduce(
    (sum, id, rank) => sum + (answers.has(id) ? 1 / Math.log2(rank + 2) : 0),
    0,
  );
  const best = Array.from(
    { length: Math.min(10, answers.size) },
    (_, rank) => 1 / Math.log2(rank + 2),
  ).reduce((a, b) => a + b, 0);
  return {
    recall: first.filter((id) => answers.has(id)).length / Math.min(10, answers.size),
    ndcg: gain / best,
  };
}
