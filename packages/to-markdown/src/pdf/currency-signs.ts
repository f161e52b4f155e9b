import { linesOfWords } from "./build-segments.ts";
import type { Word } from "./layout.ts";

const SIGN = /^(?:[$€£¥₹]|[A-Z]{1,2}\$)$/;
/** An amount, or the dash that stands for none. */
const AMOUNT = /^(?:\(?[-−–+]?[.,]?\p{N}[\p{N}.,]*[)%]*|[-−–—])$/u;
/** A sign beside its amount is no farther from it, in ems; one at the edge of a column is. */
const BESIDE = 0.45;
/** … but no farther than a column is wide. */
const FARTHEST = 25;
/** The space in ems between a sign and its amount. */
const SPACE = 0.25;

/**
 * Sets the currency signs that stand at the left edge of a column, far from the amounts at its
 * right edge, before these, as accounts are set: such a sign is no column of its own, and may be
 * nearer to the column before.
 */
export function withSignsAtAmounts(words: readonly Word[]): Word[] {
  if (!words.some(isSign)) return [...words];
  const moved = new Map<Word, Word>();
  for (const line of linesOfWords(words)) {
    const last = line.at(-1);
    // signs that follow their amounts end the line
    if (!last || isSign(last)) continue;
    for (const [at, sign] of line.entries()) {
      const [before, amount] = [line[at - 1], line[at + 1]];
      if (!amount || !isSign(sign) || !isApart(sign, amount)) continue;
      if (before && AMOUNT.test(before.text) && isBeside(before, sign)) continue;
      const right = amount.left - SPACE * amount.size;
      moved.set(sign, { ...sign, left: right - (sign.right - sign.left), right });
      moved.set(amount, { ...amount, begins: false, spaced: true });
    }
  }
  return words.map((word) => moved.get(word) ?? word);
}

/** Whether a word is a sign that the tags of the file give no place. */
const isSign = ({ text, cell }: Word): boolean => cell === undefined && SIGN.test(text);

const isBeside = (before: Word, sign: Word): boolean =>
  sign.left - before.right < BESIDE * sign.size;

/** Whether a sign stands at the other edge of the column of an amount. */
function isApart(sign: Word, amount: Word): boolean {
  const gap = amount.left - sign.right;
  return (
    amount.cell === undefined &&
    AMOUNT.test(amount.text) &&
    gap > BESIDE * sign.size &&
    gap < FARTHEST * sign.size
  );
}
