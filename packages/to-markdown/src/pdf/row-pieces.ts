import { segmentOf } from "./build-segments.ts";
import type { Segment, Word } from "./layout.ts";
import { RTL } from "./right-to-left.ts";

/** The gap between two columns, at least, in type sizes. */
export const COLUMN_GAP = 0.5;
/** … where the file begins a piece of text after it: cells may even reach into each other. */
const OWN_GAP = -0.6;
/** … where the file has a space in it: justified lines stretch theirs. */
const SPACED_GAP = 1.1;
/** So many gaps that differ by no more than this are the spaces of one text. */
const EVEN_GAPS = 4;
const EVEN = 1.05;

/** A segment taken apart wherever columns may lie. */
export function piecesOf(segment: Segment): Segment[] {
  const words = segment.words.toSorted((a, b) => a.left - b.left);
  if (isJustified(words)) return [segment];
  // Arabic and Hebrew are written from the right: every word is a jump
  const jumps = !words.some(({ text }) => RTL.test(text));
  const parts: Word[][] = [];
  for (const word of words) {
    const open = parts.at(-1);
    const last = open?.at(-1);
    const gap = word.left - (last?.right ?? 0);
    const size = Math.min(last?.size ?? 0, word.size);
    const apart =
      last &&
      (gap > (word.spaced ? SPACED_GAP : COLUMN_GAP) * size ||
        (jumps && word.begins && gap > OWN_GAP * size));
    const ends = word === words.at(-1) && isMarker([word]) && RTL.test(last?.text ?? "");
    if (open && (!apart || isMarker(open) || ends)) open.push(word);
    else parts.push([word]);
  }
  return parts.length < 2 ? [segment] : withGaps(parts.map(segmentOf));
}

/** Pieces that the file writes apart, as far from each other as columns are. */
function withGaps(pieces: Segment[]): Segment[] {
  for (const [at, piece] of pieces.entries()) {
    const before = pieces[at - 1];
    const lacks = before && (COLUMN_GAP + 0.1) * piece.size - (piece.left - before.right);
    if (!before || lacks === undefined || lacks <= 0) continue;
    before.right -= lacks / 2;
    piece.left += lacks / 2;
  }
  return pieces;
}

/** Whether all spaces of a line are as wide: it is stretched to the width of its column. */
function isJustified(words: readonly Word[]): boolean {
  const gaps = words
    .slice(1)
    .flatMap((word, at) => (word.glued ? [] : word.left - (words[at]?.right ?? 0)));
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)];
  // some writers draw every word of a stretched line by itself: cells never stand that evenly
  if (words.some((word, at) => at > 0 && word.begins && !RTL.test(word.text)))
    return gaps.length >= EVEN_GAPS && least > 0 && most < least * EVEN;
  return (
    (gaps.length >= 3 && most < least * 1.35) || (gaps.length === 2 && most < least * 1.1)
  );
}

/** A bullet or number with which an item begins. */
const isMarker = ([first, second]: readonly Word[]): boolean =>
  second === undefined &&
  first !== undefined &&
  /^([•◦▪■●○‣⁃∙·–—*☐☑☒-]|_{2,}|\(?\w{1,3}[.)])$/.test(first.text);
