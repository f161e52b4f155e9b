import type { OriginalPage } from "../../../../src/services/parser/original/contract.ts";
import { closestSentence } from "../../markdown/find-words.ts";

type Word = OriginalPage["words"][number];
/** A part of a page, in shares of it. */
export type Area = Omit<Word, "text">;

/** Of the cited words: their beginning or end may stand on the page before, or the next one. */
const SHARES = [1, 0.9, 0.8, 0.7, 0.6];
/** A part with fewer letters would be found in other sentences, too. */
const MIN_LETTERS = 30;

interface Cited {
  /** The words of the source, as its text has them. */
  passage: string;
  /** The sentence of the answer that cites them. */
  said: string | undefined;
}

/**
 * Where the cited words stand on a page, an area for each line; none where they are not found. The
 * sentence that the answer is nearest to counts, else the passage; of each the page must have most.
 * Only letters and figures are compared, because the text and the
 * page part words differently at the ends of lines.
 */
export function findOnPage(words: readonly Word[], { passage, said }: Cited): Area[] {
  const sentence = said === undefined ? undefined : closestSentence(passage, said);
  const page = lettersOfPage(words);
  const found =
    (sentence !== undefined && find(page.letters, lettersOf(sentence))) ||
    find(page.letters, lettersOf(passage));
  if (!found) return [];
  const first = page.wordAt[found.start] ?? 0;
  const last = page.wordAt[found.end - 1] ?? first;
  return linesOf(words.slice(first, last + 1));
}

function find(text: string, wanted: string): { start: number; end: number } | undefined {
  const least = Math.min(MIN_LETTERS, wanted.length);
  for (const share of SHARES) {
    const length = Math.floor(wanted.length * share);
    if (length < least || length === 0) return undefined;
    for (const part of [wanted.slice(0, length), wanted.slice(-length)]) {
      const start = text.indexOf(part);
      if (start >= 0) return { start, end: start + length };
    }
  }
  return undefined;
}

function lettersOfPage(words: readonly Word[]) {
  let letters = "";
  const wordAt: number[] = [];
  for (const [index, { text }] of words.entries()) {
    const own = lettersOf(text);
    letters += own;
    for (let at = 0; at < own.length; at += 1) wordAt.push(index);
  }
  return { letters, wordAt };
}

function lettersOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Words beside each other are one area. */
function linesOf(words: readonly Word[]): Area[] {
  const lines: Area[] = [];
  for (const { left, top, width, height } of words) {
    const line = lines.at(-1);
    const middle = top + height / 2;
    if (line && middle > line.top && middle < line.top + line.height && left >= line.left) {
      const right = Math.max(line.left + line.width, left + width);
      const bottom = Math.max(line.top + line.height, top + height);
      line.top = Math.min(line.top, top);
      line.width = right - line.left;
      line.height = bottom - line.top;
    } else lines.push({ left, top, width, height });
  }
  return lines;
}
