import type { Segment, Word } from "./layout.ts";

/** Columns of text stand as near to each other as words do, at least, in type sizes. */
const GUTTER = 0.45;
/** So many lines begin and end at a gutter. */
const MIN_LINES = 4;
/** Of these, so many may have a word over it, as headings over both columns have. */
const MAX_ACROSS = 0.25;

/** Whether a gutter is between two words that follow each other. */
type IsGutter = (last: Word | undefined, word: Word) => boolean;

/**
 * The spaces between columns of text that are no wider than those between words: there, several
 * lines end at the left, as justified ones do, several begin at the right, and hardly any word
 * stands over it.
 */
export function guttersOf(pieces: readonly Segment[]): IsGutter {
  const starts = new Map<number, number>();
  const ends = new Map<number, number>();
  const across = createCover();
  for (const { words } of pieces) {
    for (const [at, word] of words.entries()) {
      const last = words[at - 1];
      if (!last || isApart(last, word)) count(starts, word.left);
      const next = words[at + 1];
      if (!next || isApart(word, next)) count(ends, word.right);
      across.add(word.left + 1, word.right - 1);
    }
  }
  const over = across.counts();
  return (last, word) => {
    if (!last || word.cell !== last.cell || !isApart(last, word)) return false;
    const lines = Math.min(
      starts.get(Math.round(word.left)) ?? 0,
      ends.get(Math.round(last.right)) ?? 0,
    );
    const middle = over[placeOf((last.right + word.left) / 2)] ?? 0;
    return lines >= MIN_LINES && middle <= lines * MAX_ACROSS;
  };
}

const isApart = (last: Word, word: Word): boolean =>
  word.left - last.right > GUTTER * word.size;

/** A page is no wider, in points. */
const WIDEST = 14_400;

/** A place on the page in whole points, whatever a file says. */
const placeOf = (x: number): number => Math.min(Math.max(Math.round(x) || 0, 0), WIDEST);

/** How many of the stretches that are added lie over each point. */
function createCover() {
  const changes = new Int32Array(WIDEST + 2);
  return {
    add(from: number, to: number): void {
      const [first, end] = [placeOf(from), placeOf(to)];
      if (end <= first) return;
      changes[first] = (changes[first] ?? 0) + 1;
      changes[end] = (changes[end] ?? 0) - 1;
    },
    counts(): Int32Array {
      let open = 0;
      return changes.map((change) => (open += change));
    },
  };
}

/** Counts a place, and those within one point of it. */
function count(places: Map<number, number>, place: number): void {
  for (const near of [-1, 0, 1]) {
    const at = Math.round(place) + near;
    places.set(at, (places.get(at) ?? 0) + 1);
  }
}
