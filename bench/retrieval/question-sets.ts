import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Passage {
  id: string;
  /** What is judged, where several passages are of one. */
  doc: string;
  /** That it was cut from. */
  cutFrom: string;
  title: string;
  text: string;
}

export interface QuestionSet {
  name: string;
  passages: Passage[];
  questions: { id: string; text: string }[];
  /** What answers a question. */
  answers: Map<string, Set<string>>;
}

/** Reads a set in the layout of BEIR: corpus.jsonl, queries.jsonl, qrels.tsv. */
export async function readQuestionSet(folder: string, name: string): Promise<QuestionSet> {
  const lines = async (file: string) =>
    (await readFile(join(folder, name, file), "utf8")).split("\n").filter((line) => line !== "");
  const rows = (await lines("qrels.tsv")).slice(1).map((line) => line.split("\t"));
  const answers = new Map<string, Set<string>>();
  for (const [question = "", passage = "", score] of rows)
    if (Number(score) > 0) answers.set(question, (answers.get(question) ?? new Set()).add(passage));
  const judged = new Set([...answers.values()].flatMap((ids) => [...ids]));
  const passages = (await lines("corpus.jsonl")).map((line) => {
    const {
      _id: id,
      title,
      text,
      doc,
    } = JSON.parse(line) as { _id: string; title: string; text: string; doc?: string };
    return { id, title, text, cutFrom: doc ?? id };
  });
  const byDoc = passages.some(({ cutFrom }) => judged.has(cutFrom));
  const questions = (await lines("queries.jsonl")).map((line) => {
    const { _id: id, text } = JSON.parse(line) as { _id: string; text: string };
    return { id, text };
  });
  return {
    name,
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
  answers: ReadonlySet<string>,
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
