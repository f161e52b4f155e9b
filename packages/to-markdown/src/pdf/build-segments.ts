import { around, heaviest, overlapY } from "./geometry.ts";
import type { Segment, Word } from "./layout.ts";
import { RTL } from "./right-to-left.ts";

/** A gap in ems between words that separates columns or cells. */
const APART = 1;
/** The same where the file has a space, because justified lines stretch their spaces. */
const APART_SPACED = 1.6;
const MARKER = /^([•◦▪■●○‣⁃∙·–—*-]|[➢✓❖◻□❑→]|\(?(\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])$/;
/** The maximum distance in ems from a word to the last of the scripts after it. */
const SCRIPT_GAP = 4;
/** The maximum distance in ems from a marker to its text. */
const MARKER_GAP = 4;

/** Joins words into segments: the parts of lines that are read continuously. */
export function buildSegments(words: readonly Word[]): Segment[] {
  const pieces = piecesOfLines(words);
  const isGutter = guttersOf(pieces);
  return pieces.flatMap((piece) => {
    const at = piece.words.findIndex((word, index) =>
      isGutter(piece.words[index - 1], word),
    );
    if (at < 1) return [piece];
    return [segmentOf(piece.words.slice(0, at)), segmentOf(piece.words.slice(at))];
  });
}

function piecesOfLines(words: readonly Word[]): Segment[] {
  const segments: Segment[] = [];
  for (const line of linesOfWords(words)) {
    let open: Word[] = [];
    for (const [at, word] of line.entries()) {
      const last = open.at(-1);
      const ends = at === line.length - 1;
      if (last && !belongs(open, last, word) && !(ends && isMarkerOf(last, word))) {
        segments.push(segmentOf(open));
        open = [];
      }
      open.push(word);
    }
    if (open.length > 0) segments.push(segmentOf(open));
  }
  return segments;
}

export function segmentOf(words: Word[]): Segment {
  const first = words[0];
  const size = heaviest(
    words.map((word) => [Math.round(word.size * 10) / 10, word.text.length] as const),
    first?.size ?? 0,
  );
  const baseline = heaviest(
    words.map(
      (word) =>
        [
          Math.round(word.baseline * 10) / 10,
          word.script ? 0.1 : word.text.length,
        ] as const,
    ),
    first?.baseline ?? 0,
  );
  return { ...around(words), words: inReadingOrder(words), baseline, size };
}

function belongs(open: readonly Word[], last: Word, word: Word): boolean {
  if (last.cell !== word.cell) return false;
  const size = Math.max(Math.min(last.size, word.size), 1);
  const gap = word.left - last.right;
  if (gap < (word.spaced ? APART_SPACED : APART) * size) return true;
  // a marker belongs to its item, however large the gap
  return open.length === 1 && gap < MARKER_GAP * size && MARKER.test(last.text);
}

/** Whether a marker is at the right of its item. */
function isMarkerOf(last: Word, word: Word): boolean {
  const gap = word.left - last.right;
  return (
    last.cell === word.cell &&
    RTL.test(last.text) &&
    MARKER.test(fromRight(word.text)) &&
    gap < MARKER_GAP * Math.max(Math.min(last.size, word.size), 1)
  );
}

/** The number of a list item in right-to-left text, where the full stop is at its left. */
function fromRight(text: string): string {
  return text.replace(/^([.)])(\d{1,3})$/, "$2$1");
}

/** Groups words by line, over the whole width of the page, from left to right. */
export function linesOfWords(words: readonly Word[]): Word[][] {
  const lines: { words: Word[]; baseline: number; size: number }[] = [];
  const normal = words
    .filter((word) => !word.script)
    .toSorted((a, b) => a.baseline - b.baseline);
  for (const word of normal) {
    const line = lines.at(-1);
    if (line && word.baseline - line.baseline <= 0.3 * Math.min(line.size, word.size))
      line.words.push(word);
    else lines.push({ words: [word], baseline: word.baseline, size: word.size });
  }
  const lineOf = new Map(
    lines.flatMap((line) => line.words.map((word) => [word, line] as const)),
  );
  // what a fraction has below its bar comes after what it has above, wherever it begins
  const places = new Map<Word, number>();
  const placeOf = (word: Word) => places.get(word) ?? word.left;
  let before: Word | undefined;
  let script: Word | undefined;
  // a script belongs to the line of the word before it in the file, or to one that it touches
  for (const word of words) {
    if (!word.script) {
      before = word;
      script = undefined;
      continue;
    }
    const isOfBase = before !== undefined && isScriptOf(before, word);
    if (isOfBase && script) places.set(word, Math.max(word.left, placeOf(script)));
    script = isOfBase ? word : undefined;
    const line = before && isOfBase ? lineOf.get(before) : nearestLine(lines, word);
    if (line) line.words.push(word);
    else lines.push({ words: [word], baseline: word.baseline, size: word.size });
  }
  return lines.map((line) => line.words.toSorted((a, b) => placeOf(a) - placeOf(b)));
}

/** Whether a script is set beside a word: where a fraction begins, or below and above an index. */
function isScriptOf(before: Word, script: Word): boolean {
  return (
    script.left >= before.left &&
    script.left - before.right < SCRIPT_GAP * before.size &&
    Math.abs(script.baseline - before.baseline) < 0.7 * before.size
  );
}

function nearestLine<Line extends { words: Word[] }>(
  lines: Line[],
  word: Word,
): Line | undefined {
  let best: Line | undefined;
  let nearest = Infinity;
  for (const line of lines) {
    for (const other of line.words) {
      if (overlapY(other, word) <= 0 || other.script) continue;
      const distance = Math.min(
        Math.abs(word.left - other.right),
        Math.abs(other.left - word.right),
      );
      if (distance < nearest) [best, nearest] = [line, distance];
    }
  }
  return nearest < word.size * 1.5 ? best : undefined;
}

/** The maximum distance in ems from a punctuation mark to its word. */
const CLOSE = 0.2;

/**
 * Sorts words from left to right; in mostly Arabic or Hebrew text from right to left, with Latin
 * words in their own order.
 */
function inReadingOrder(words: Word[]): Word[] {
  const reversed = words.filter((word) => RTL.test(word.text)).length;
  const worded = words.filter((word) => /\p{L}/u.test(word.text)).length;
  if (reversed * 2 <= worded) return words;
  const order: Word[] = [];
  let latin: Word[] = [];
  for (const word of words.toReversed()) {
    if (RTL.test(word.text) || !/[\p{L}\p{N}]/u.test(word.text)) {
      order.push(...latin.toReversed(), word);
      latin = [];
    } else latin.push(word);
  }
  order.push(...latin.toReversed());
  return order.map((word, at) => {
    if (at === 0) return { ...word, text: fromRight(word.text) };
    return isClosing(word, order[at - 1]) ? { ...word, glued: true } : word;
  });
}

/** Whether a punctuation mark ends the word before it, which is at its right. */
function isClosing(word: Word, before: Word | undefined): boolean {
  if (!before || !/^[.,:;!?،؛؟)\]»]+$/.test(word.text)) return false;
  return before.left - word.right < CLOSE * word.size;
}

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
function guttersOf(pieces: readonly Segment[]): IsGutter {
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
