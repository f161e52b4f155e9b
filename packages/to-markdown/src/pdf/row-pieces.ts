import { segmentOf } from "./build-segments.ts";
import type { Segment, Word } from "./layout.ts";
import { RTL } from "./right-to-left.ts";

/** The minimum gap in ems between two columns. */
export const COLUMN_GAP = 0.5;
/** The same where a new piece of text begins in the file: such cells may even overlap. */
const OWN_GAP = -0.6;
/** The same where the file has a space, because justified lines stretch their spaces. */
const SPACED_GAP = 1.1;
/** This many gaps of nearly equal width are the spaces of one text. */
const EVEN_GAPS = 4;
const EVEN = 1.05;

/** Divides a segment at every place where columns may be. */
export function piecesOf(segment: Segment): Segment[] {
  const words = segment.words.toSorted((a, b) => a.left - b.left);
  if (isJustified(words)) return [segment];
  // in Arabic and Hebrew text every word begins a new piece
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
    const marks =
      open && isMarker(open) && !(gap > SPACED_GAP * size && isValue(word.text));
    if (open && (!apart || marks || ends)) open.push(word);
    else parts.push([word]);
  }
  return parts.length < 2 ? [segment] : withGaps(parts.map(segmentOf));
}

/** Pieces that the file writes separately, as far from each other as columns are. */
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

/** Whether all spaces of a line have the same width: the line is justified. */
function isJustified(words: readonly Word[]): boolean {
  const gaps = words
    .slice(1)
    .flatMap((word, at) => (word.glued ? [] : word.left - (words[at]?.right ?? 0)));
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)];
  // some programs draw each word of a justified line separately; cells are never that evenly spaced
  if (words.some((word, at) => at > 0 && word.begins && !RTL.test(word.text)))
    return gaps.length >= EVEN_GAPS && least > 0 && most < least * EVEN;
  return (
    (gaps.length >= 3 && most < least * 1.35) || (gaps.length === 2 && most < least * 1.1)
  );
}

/** A number, or a dash that stands for none: such words are no items of lists. */
const isValue = (text: string): boolean => /^([–—-]|[(+−–-]?\d[\d.,]*[%)]*)$/.test(text);

/** A bullet or number that begins a list item. */
const isMarker = ([first, second]: readonly Word[]): boolean =>
  second === undefined &&
  first !== undefined &&
  /^([•◦▪■●○‣⁃∙·–—*☐☑☒-]|_{2,}|\(?\w{1,3}[.)])$/.test(first.text);
