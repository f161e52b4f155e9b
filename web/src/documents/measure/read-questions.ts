import type { Measurement } from "./queries.ts";

export type MeasuredQuestion = Measurement["questions"][number];

/** Questions, and the numbers of the lines that are none. */
export interface ReadQuestions {
  questions: MeasuredQuestion[];
  wrongLines: number[];
}

/**
 * Reads what a person typed: a question and the names of the documents that answer it, with a bar
 * or a tabulator between, one question a line.
 */
export function readQuestions(text: string): ReadQuestions {
  const read: ReadQuestions = { questions: [], wrongLines: [] };
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const [query = "", ...names] = line.split(/[|\t]/).map((part) => part.trim());
    const expected = names.filter((name) => name !== "").map((fileName) => ({ fileName }));
    if (query === "" || expected.length === 0) read.wrongLines.push(at + 1);
    else read.questions.push({ query, expected });
  }
  return read;
}

/**
 * The lines of a file: of the JSON that the command `evaluate` takes, or lines as they are typed.
 * Expected passages and ids have no place in a line: such a file stays with the command.
 * @returns undefined when it cannot be written as lines.
 */
export function toLines(file: string): string | undefined {
  if (!file.trimStart().startsWith("{")) return file;
  try {
    const { questions } = JSON.parse(file) as { questions: MeasuredQuestion[] };
    return questions.map(toLine).join("\n");
  } catch {
    return undefined; // another kind of JSON
  }
}

function toLine({ query, expected }: MeasuredQuestion): string {
  const names = expected.map(({ fileName, passage, documentId }) => {
    if (!fileName || passage || documentId) throw new Error("not the name of a file alone");
    return fileName;
  });
  return [query.replaceAll(/\s+/g, " "), ...names].join(" | ");
}
