import type { Sizes, Span } from "./fit.ts";
import { findSpans, type Longest } from "./longest-spans.ts";

/** In the order in which they are tried. Source: isaacus-dev/semchunk 4.0.0. */
const MARKS = [
  ".",
  "?",
  "!",
  ";",
  ",",
  "(",
  ")",
  "[",
  "]",
  "“",
  "”",
  "‘",
  "’",
  "'",
  '"',
  "`",
  "*",
  ":",
  "—",
  "…",
  "/",
  "\\",
  "–",
  "&",
  "-",
];
/** The white space that Python's `\s` matches. */
const SPACE =
  "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const isLineEnd = (unit: number) => unit === 10 || unit === 13;
const isTab = (unit: number) => unit === 9;
const ANY_SPACE = new RegExp(`[${SPACE}]`);
/**
 * White space except line ends and tabs. Text is cut at those first, so none is left when spans of
 * other white space are searched.
 */
const isOtherSpace = (unit: number) =>
  unit === 32 ||
  (unit < 128
    ? unit === 11 || unit === 12 || (unit > 27 && unit < 32)
    : ANY_SPACE.test(String.fromCharCode(unit)));
const AFTER_MARK = new Map(
  MARKS.map((mark) => [
    mark,
    new RegExp(`[${mark.replace(/[\\[\]^-]/, "\\$&")}][${SPACE}]`),
  ]),
);
const ALL_SPACE = new RegExp(`^[${SPACE}]*$`);

interface Splitter {
  text: string;
  isSpace: boolean;
  /** The positions of the pieces. */
  pieces: Span[];
}

/** The size of a part of the text. */
type Count = (start: number, end: number) => number;

/**
 * `semchunk`: cuts at the strongest separators (line ends, tabs, white space after punctuation,
 * punctuation) and joins pieces up to the size. No chunk begins or ends with the white space that
 * it was cut at.
 * @param overlap in the counter's unit, or below 1 as a share of the size. With an overlap the text
 * is cut into small parts, of which each chunk takes several.
 * Source: isaacus-dev/semchunk 4.0.0 (MIT), whose output this equals.
 */
export function semchunk(
  text: string,
  part: Span,
  { chunkSize, chunkOverlap }: Sizes,
  count: Count,
): Span[] {
  const overlap =
    chunkOverlap < 1
      ? Math.floor(chunkSize * chunkOverlap)
      : Math.min(chunkOverlap, chunkSize - 1);
  const partSize = overlap > 0 ? Math.min(overlap, chunkSize - overlap) : chunkSize;
  const found: Span[] = [];
  const spans = [isLineEnd, isTab, isOtherSpace].map((isMember) =>
    findSpans(text, part, isMember),
  );
  cut({ text, spans, size: partSize, count, chunks: found }, part);
  const parts = found.filter(({ start, end }) => !isBlank(text, start, end));
  return overlap > 0 && parts.length > 0
    ? overlapping(parts, chunkSize, overlap, partSize)
    : parts;
}

function overlapping(
  parts: readonly Span[],
  chunkSize: number,
  overlap: number,
  partSize: number,
): Span[] {
  const each = Math.floor(chunkSize / partSize);
  const stride = Math.floor((chunkSize - overlap) / partSize);
  const windows = Math.max(1, Math.ceil((parts.length - each) / stride) + 1);
  return Array.from({ length: windows }, (_, n) => ({
    start: parts[n * stride]?.start ?? 0,
    end: parts[Math.min(n * stride + each, parts.length) - 1]?.end ?? 0,
  }));
}

interface Work {
  text: string;
  /** Runs of line ends, of tabs and of other white space, which separate a text in this order. */
  spans: readonly ((part: Span) => Longest | undefined)[];
  size: number;
  count: Count;
  chunks: Span[];
}

function cut(work: Work, part: Span): void {
  const { size, count, chunks } = work;
  const { text: splitter, isSpace, pieces } = split(work, part);
  let next = 0;
  while (next < pieces.length) {
    const piece = pieces[next] ?? part;
    // a single character may exceed the size, and cannot be cut
    if (pieces.length > 1 && count(piece.start, piece.end) > size) {
      next += 1;
      cut(work, piece);
    } else {
      next = merge(pieces, next, size, count);
      chunks.push({ start: piece.start, end: pieces[next - 1]?.end ?? piece.end });
    }
    if (!isSpace && next < pieces.length) addMark(splitter, work, piece.start);
  }
}

/** A punctuation mark stays with the chunk before it if it fits there, and otherwise is a chunk. */
function addMark(mark: string, { size, count, chunks }: Work, start: number): void {
  const last = chunks.at(-1);
  if (last && count(last.start, last.end + mark.length) <= size) last.end += mark.length;
  else {
    const from = last?.end ?? start;
    chunks.push({ start: from, end: from + mark.length });
  }
}

/**
 * The index after the last piece that fits into a chunk that begins with piece `first`. The search
 * starts from the usual length of tokens in this text.
 */
function merge(pieces: readonly Span[], first: number, size: number, count: Count): number {
  let charactersEach = 0.2;
  let low = first + 1;
  let high = pieces.length + 1;
  const start = pieces[first]?.start ?? 0;
  while (low < high) {
    const middle = Math.min(
      firstEndingAt(pieces, start + size * charactersEach, low, high),
      high - 1,
    );
    const end = pieces[middle - 1]?.end ?? start;
    const tokens = count(start, end);
    if (tokens > 0) charactersEach = (end - start) / tokens;
    if (tokens > size) high = middle;
    else low = middle + 1;
  }
  return Math.max(low - 1, first + 1);
}

/** The number of pieces up to a position. */
function firstEndingAt(
  pieces: readonly Span[],
  position: number,
  from: number,
  to: number,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle - 1]?.end ?? Infinity) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function split({ text, spans }: Work, part: Span): Splitter {
  const inner = text.slice(part.start, part.end);
  for (const longestIn of spans) {
    const longest = longestIn(part);
    if (!longest) continue;
    const spaces = text.slice(longest.first.start, longest.first.end);
    const single = spaces.length === 1 && !/[\r\n\t]/.test(spaces);
    const afterMark = single ? splitAfterMark(inner, part) : undefined;
    return (
      afterMark ?? {
        text: spaces,
        isSpace: true,
        pieces: piecesBeside(longest.all(), part),
      }
    );
  }
  const mark = MARKS.find((one) => inner.includes(one));
  if (mark !== undefined)
    return { text: mark, isSpace: false, pieces: piecesBetween(inner, mark, part) };
  const pieces: Span[] = [];
  for (let at = part.start; at < part.end;) {
    const width = (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    pieces.push({ start: at, end: Math.min(at + width, part.end) });
    at += width;
  }
  return { text: "", isSpace: true, pieces };
}

/** Cuts at one white-space character that follows punctuation, so that sentences stay whole. */
function splitAfterMark(inner: string, part: Span): Splitter | undefined {
  for (const mark of MARKS) {
    if (!inner.includes(mark)) continue;
    const space = AFTER_MARK.get(mark)?.exec(inner)?.[0].slice(mark.length);
    if (space === undefined) continue;
    return {
      text: space,
      isSpace: true,
      pieces: piecesBetween(inner, mark + space, part, mark.length),
    };
  }
  return undefined;
}

function piecesBeside(spans: readonly Span[], { start, end }: Span): Span[] {
  return Array.from({ length: spans.length + 1 }, (_, n) => ({
    start: spans[n - 1]?.end ?? start,
    end: spans[n]?.start ?? end,
  }));
}

/**
 * The pieces between the occurrences of a splitter. Its first characters may stay with the piece
 * before.
 */
function piecesBetween(
  inner: string,
  splitter: string,
  { start, end }: Span,
  kept = 0,
): Span[] {
  const pieces: Span[] = [];
  let from = 0;
  for (let at = inner.indexOf(splitter); at >= 0; at = inner.indexOf(splitter, from)) {
    pieces.push({ start: start + from, end: start + at + kept });
    from = at + splitter.length;
  }
  pieces.push({ start: start + from, end });
  return pieces;
}

function isBlank(text: string, start: number, end: number): boolean {
  return (
    start >= end ||
    (/\s/.test(text.charAt(start)) && ALL_SPACE.test(text.slice(start, end)))
  );
}
