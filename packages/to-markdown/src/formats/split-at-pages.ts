import { type Run, textOf } from "./blocks.ts";

/** A page ends before the run with this index. */
export interface PageEnd {
  at: number;
  /** Whether the text is divided here, also within a sentence. */
  exact: boolean;
}

const SENTENCE_END = /[.!?…。！？]["'”’»)\]]*(?=\s|$)/g;
const ENDS_SENTENCE = /[.!?…。！？:]["'”’»)\]]*$/;

/**
 * Divides a paragraph where pages end, so that each part begins on its page. A sentence that goes
 * on to the next page stays whole, on the page on which it begins.
 * @param isText whether it is running text; anything else stays whole.
 * @returns one part more than there are ends; a part may be empty.
 */
export function splitAtPages(
  runs: readonly Run[],
  ends: readonly PageEnd[],
  isText: boolean,
): Run[][] {
  const text = textOf(runs);
  const starts: number[] = [];
  let length = 0;
  for (const run of runs) {
    starts.push(length);
    length += run.text.length;
  }
  let from = 0;
  const cuts = ends.map(({ at, exact }) => {
    const offset = Math.max(from, starts[at] ?? length);
    const before = text.slice(from, offset).trimEnd();
    if (exact || before === "") from = offset;
    else if (!isText) from = length;
    else from = ENDS_SENTENCE.test(before) ? offset : sentenceEnd(text, offset);
    return from;
  });
  const parts: Run[][] = [];
  for (const [index, to] of [...cuts, length].entries())
    parts.push(sliceRuns(runs, starts, cuts[index - 1] ?? 0, to, index === cuts.length));
  return parts;
}

function sentenceEnd(text: string, from: number): number {
  SENTENCE_END.lastIndex = from;
  const found = SENTENCE_END.exec(text);
  return found ? found.index + found[0].length : text.length;
}

/** The runs between two positions of the text; those without text belong to the part after them. */
function sliceRuns(
  runs: readonly Run[],
  starts: readonly number[],
  from: number,
  to: number,
  isLast: boolean,
): Run[] {
  return runs.flatMap((run, index) => {
    const start = starts[index] ?? 0;
    const end = start + run.text.length;
    if (start === end) return start >= from && (start < to || isLast) ? [run] : [];
    if (end <= from || start >= to) return [];
    const text = run.text.slice(Math.max(0, from - start), to - start);
    return [text === run.text ? run : { ...run, text }];
  });
}
