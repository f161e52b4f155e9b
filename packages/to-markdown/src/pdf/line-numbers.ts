import { segmentOf } from "./build-segments.ts";
import { median } from "./geometry.ts";
import type { Segment, Word } from "./layout.ts";

/** Fewer numbers may be in order by chance. */
const MIN_NUMBERS = 3;
/** The numbers of lines are at most this large, in sizes of the text. */
const SMALL = 0.85;
/** The edges of numbers differ by at most these points. */
const SAME_EDGE = 1.5;
const NUMBER = /^\d{1,5}$/;
/** Numbers in the size of the text count the lines of a page if they are so many, from one, … */
const MIN_EVEN = 10;
/** … at one distance, within this share, … */
const UNEVEN = 0.03;
/** … and so many of them have no text beside them. */
const MIN_ALONE = 3;

type Band = Segment[];

interface Counted {
  /** The lines without their numbers, and without those that are nothing else. */
  lines: Band[];
  numbers: Word[];
}

/**
 * Parts lines from the numbers that count them, in smaller type before or behind the text of
 * each: they are no column of a table.
 * @param bands the lines of a page or column, with their pieces
 */
export function partLineNumbers(bands: readonly Band[]): Counted {
  const usual = median(bands.flat().map(({ size }) => size));
  const sorted = bands.map((band) => band.toSorted((a, b) => a.left - b.left));
  const numbers = new Set([
    ...countsIn(sorted, usual, (words) => words),
    ...countsIn(sorted, usual, (words) => words.toReversed()),
    ...evenCountsIn(sorted),
  ]);
  if (numbers.size === 0) return { lines: [...bands], numbers: [] };
  const lines = sorted
    .map((band) => band.flatMap((piece) => without(piece, numbers)))
    .filter((band) => band.length > 0);
  return { lines, numbers: [...numbers] };
}

function without(piece: Segment, numbers: ReadonlySet<Word>): Segment[] {
  const words = piece.words.filter((word) => !numbers.has(word));
  if (words.length === piece.words.length) return [piece];
  return words.length === 0 ? [] : [segmentOf(words)];
}

/** @param from the words of a line, from the side at which its number is searched */
function countsIn(
  bands: readonly Band[],
  usual: number,
  from: (words: Word[]) => Word[],
): Word[] {
  const found: Word[] = [];
  let run: Word[] = [];
  let texts = 0;
  const close = () => {
    if (run.length >= MIN_NUMBERS && texts > 1) found.push(...run);
    run = [];
    texts = 0;
  };
  for (const band of bands) {
    const [number, text] = from(band.flatMap(({ words }) => words));
    // a line that is too long goes on without a number
    if (!number || !NUMBER.test(number.text)) continue;
    if (number.size > SMALL * (text?.size ?? usual)) continue;
    const last = run.at(-1);
    if (last && !(Number(number.text) === Number(last.text) + 1 && areLevel(last, number)))
      close();
    run.push(number);
    if (text) texts += 1;
  }
  close();
  return found;
}

/** The numbers at the left edge of a page of a court: lines of text stand anywhere beside them. */
function evenCountsIn(bands: readonly Band[]): Word[] {
  const numbers = bands.flatMap((band) => {
    const [first] = band;
    const [number] = first?.words ?? [];
    if (!number || !NUMBER.test(number.text)) return [];
    const alone = band.length === 1 && first?.words.length === 1;
    return [{ number, alone }];
  });
  const words = numbers.map(({ number }) => number);
  const [one, two] = words;
  if (!one || !two || words.length < MIN_EVEN) return [];
  const step = two.baseline - one.baseline;
  const isEven = words.every(
    (word, at) =>
      Number(word.text) === at + 1 &&
      areLevel(one, word) &&
      Math.abs(word.baseline - one.baseline - at * step) <= UNEVEN * step * (at + 1),
  );
  return isEven && numbers.filter(({ alone }) => alone).length >= MIN_ALONE ? words : [];
}

const areLevel = (a: Word, b: Word): boolean =>
  Math.abs(a.right - b.right) < SAME_EDGE || Math.abs(a.left - b.left) < SAME_EDGE;
