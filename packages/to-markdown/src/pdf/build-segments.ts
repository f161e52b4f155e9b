import { around, heaviest, overlapY } from "./geometry.ts";
import type { Segment, Word } from "./layout.ts";
import { RTL } from "./right-to-left.ts";

/** A gap between words wider than this, in type sizes, parts columns or cells. */
const APART = 1;
/** … unless the file has a space there: justified lines stretch theirs. */
const APART_SPACED = 1.6;
const MARKER = /^([•◦▪■●○‣⁃∙·–—*-]|[➢✓❖◻□❑→]|\(?(\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])$/;
/** How far a marker may stand before its text, in type sizes. */
const MARKER_GAP = 4;

/** Puts words together into the pieces of lines that are read without a jump. */
export function buildSegments(words: readonly Word[]): Segment[] {
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
          word.raised ? 0.1 : word.text.length,
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
  // a marker belongs to its item, however far it stands out
  return open.length === 1 && gap < MARKER_GAP * size && MARKER.test(last.text);
}

/** Whether a marker stands at the right of its item. */
function isMarkerOf(last: Word, word: Word): boolean {
  const gap = word.left - last.right;
  return (
    last.cell === word.cell &&
    RTL.test(last.text) &&
    MARKER.test(fromRight(word.text)) &&
    gap < MARKER_GAP * Math.max(Math.min(last.size, word.size), 1)
  );
}

/** The number of an item as it is read from the right, where its full stop is at its left. */
function fromRight(text: string): string {
  return text.replace(/^([.)])(\d{1,3})$/, "$2$1");
}

/** Words on one height, over the whole width of the page, from left to right. */
export function linesOfWords(words: readonly Word[]): Word[][] {
  const lines: { words: Word[]; baseline: number; size: number }[] = [];
  const normal = words
    .filter((word) => !word.raised)
    .toSorted((a, b) => a.baseline - b.baseline);
  for (const word of normal) {
    const line = lines.at(-1);
    if (line && word.baseline - line.baseline <= 0.3 * Math.min(line.size, word.size))
      line.words.push(word);
    else lines.push({ words: [word], baseline: word.baseline, size: word.size });
  }
  // what is raised goes to the line that it touches
  for (const word of words) {
    if (!word.raised) continue;
    const line = nearestLine(lines, word);
    if (line) line.words.push(word);
    else lines.push({ words: [word], baseline: word.baseline, size: word.size });
  }
  return lines.map((line) => line.words.toSorted((a, b) => a.left - b.left));
}

function nearestLine<Line extends { words: Word[] }>(
  lines: Line[],
  word: Word,
): Line | undefined {
  let best: Line | undefined;
  let nearest = Infinity;
  for (const line of lines) {
    for (const other of line.words) {
      if (overlapY(other, word) <= 0 || other.raised) continue;
      const distance = Math.min(
        Math.abs(word.left - other.right),
        Math.abs(other.left - word.right),
      );
      if (distance < nearest) [best, nearest] = [line, distance];
    }
  }
  return nearest < word.size * 1.5 ? best : undefined;
}

/** A mark stands no farther from its word, in type sizes. */
const CLOSE = 0.2;

/**
 * From left to right, or, where most is Arabic or Hebrew, from right to left with its Latin words
 * kept in their order.
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

/** Whether a mark ends the word before it, which stands at its right. */
function isClosing(word: Word, before: Word | undefined): boolean {
  if (!before || !/^[.,:;!?،؛؟)\]»]+$/.test(word.text)) return false;
  return before.left - word.right < CLOSE * word.size;
}
