import { around, width } from "./geometry.ts";
import type { Word } from "./layout.ts";

/** Fewer letters at equal distances may be so by chance. */
const MIN_LETTERS = 4;
/** The largest distance, in ems, between the letters of a word, and between its words. */
const MAX_LETTER_GAP = 1.2;
const MAX_WORD_GAP = 2.5;
/** How equal the distances are, in ems; those between words are larger by the second. */
const SAME_GAP = 0.03;
const WORD_GAP = 0.15;
/** Letters of one width may be cells: columns of equal width are at equal distances too. */
const MIN_WIDTHS = 0.04;

/** Joins the letters of words that are set with wide spaces between all letters. */
export function joinSpaced(words: readonly Word[]): Word[] {
  const joined: Word[] = [];
  for (let at = 0; at < words.length;) {
    let end = at + 1;
    while (isNextLetter(words[end - 1], words[end])) end += 1;
    const letters = words.slice(at, end);
    joined.push(...(wordsOf(letters) ?? letters));
    at = end;
  }
  return joined;
}

const isLetter = ({ text, script }: Word): boolean => !script && /^\p{L}$/u.test(text);

function isNextLetter(last: Word | undefined, word: Word | undefined): boolean {
  if (!last || !word || !isLetter(last) || !isLetter(word)) return false;
  const gap = word.left - last.right;
  return (
    last.style === word.style &&
    last.cell === word.cell &&
    Math.abs(last.size - word.size) < 0.05 * word.size &&
    Math.abs(last.baseline - word.baseline) < 0.05 * word.size &&
    gap > 0 &&
    gap < MAX_WORD_GAP * word.size
  );
}

/** The words of a run of letters; undefined if their distances are those of no letter-spacing. */
function wordsOf(letters: readonly Word[]): Word[] | undefined {
  const size = letters[0]?.size ?? 1;
  const widths = letters.map(width);
  if (letters.length < MIN_LETTERS) return undefined;
  if (Math.max(...widths) - Math.min(...widths) < MIN_WIDTHS * size) return undefined;
  const gaps = letters
    .slice(1)
    .map((letter, at) => letter.left - (letters[at]?.right ?? 0));
  const least = Math.min(...gaps.filter((_, at) => letters[at + 1]?.spaced !== true));
  if (!(least <= MAX_LETTER_GAP * size)) return undefined;
  const words: Word[][] = [];
  for (const [at, letter] of letters.entries()) {
    const more = (gaps[at - 1] ?? Infinity) - least;
    if (letter.spaced || more > WORD_GAP * size) words.push([letter]);
    else if (more > SAME_GAP * size) return undefined;
    else words.at(-1)?.push(letter);
  }
  // single letters with spaces between them are an enumeration, or variables
  if (words.length > letters.length / 2) return undefined;
  return words.flatMap((word) => {
    const [first] = word;
    const text = word.map((letter) => letter.text).join("");
    return first ? [{ ...first, ...around(word), text }] : [];
  });
}
