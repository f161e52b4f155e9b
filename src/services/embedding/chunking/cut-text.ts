import type { CountPiece } from "./byte-pairs.ts";
import type { TextLayout } from "../../parser/contract-jobs.ts";
import type { CHUNKING_METHODS } from "../contract-jobs.ts";
import type { Place } from "../contract-places.ts";
import { type Sizes, type Span, mergePieces, trimmed } from "./fit.ts";
import { placesIn } from "./places.ts";
import { cutRecursively, everyCharacter } from "./recursive.ts";
import { characterRuler, type Ruler, tokenRuler } from "./ruler.ts";
import { semchunk } from "./semchunk.ts";
import { findTextTables, type TextTable } from "./table-heads.ts";
const SEPARATOR = "\n\n";

/**
 * `lib_text_splitter`: the output of LangChain's CharacterTextSplitter (langchain-ai/langchainjs
 * `text_splitter.ts`), with positions. Cuts at blank lines and joins paragraphs up to the size.
 * Cuts a larger paragraph by `lib_recursive`, whereas LangChain leaves it whole.
 */
function cutByParagraphs(text: string, part: Span, sizes: Sizes, ruler: Ruler): Span[] {
  const chunks: Span[] = [];
  let small: Span[] = [];
  const mergeSmall = () => {
    for (const chunk of merged(text, small, sizes, ruler)) chunks.push(chunk);
    small = [];
  };
  for (const piece of paragraphs(text, part)) {
    if (ruler.size(piece.start, piece.end) <= sizes.chunkSize) small.push(piece);
    else {
      mergeSmall();
      for (const chunk of cutRecursively(text, piece, sizes, ruler)) chunks.push(chunk);
    }
  }
  mergeSmall();
  return chunks;
}

/** A piece extends to the start of the next one, a chunk only to the end of its last piece. */
function merged(text: string, pieces: readonly Span[], sizes: Sizes, ruler: Ruler): Span[] {
  const last = pieces.at(-1);
  if (!last) return [];
  const cuts = {
    length: pieces.length + 1,
    at: (index: number) => pieces[index]?.start ?? last.end,
  };
  const withoutGap = ({ start, end }: Span) => ({
    start,
    end: end === last.end ? end : endBefore(text, start, end),
  });
  const chunk = (start: number, end: number) => {
    const whole = withoutGap({ start, end });
    const inner = ruler.unit === "tokens" ? trimmed(text, whole) : whole;
    return ruler.size(inner.start, inner.end);
  };
  const overlap = ruler.unit === "tokens" ? chunk : withoutSeparators(pieces);
  return mergePieces(cuts, sizes, { chunk, overlap }, ruler)
    .map((span) => trimmed(text, withoutGap(span)))
    .filter(({ start, end }) => end > start);
}

/** LangChain counts separators into a chunk, but not into an overlap. */
function withoutSeparators(
  pieces: readonly Span[],
): (start: number, end: number) => number {
  const before = new Map<number, number>();
  let total = 0;
  for (const { start, end } of pieces) {
    before.set(start, total);
    total += end - start;
  }
  return (start, end) => (before.get(end) ?? total) - (before.get(start) ?? 0);
}

/** Where the separators before a position begin. */
function endBefore(text: string, start: number, position: number): number {
  let end = position;
  while (
    end - SEPARATOR.length >= start &&
    text.startsWith(SEPARATOR, end - SEPARATOR.length)
  )
    end -= SEPARATOR.length;
  return end;
}

function paragraphs(text: string, { start, end }: Span): Span[] {
  const inner = text.slice(start, end);
  const found: Span[] = [];
  for (let from = 0; from < inner.length;) {
    const at = inner.indexOf(SEPARATOR, from);
    const to = at < 0 ? inner.length : at;
    if (to > from) found.push({ start: start + from, end: start + to });
    from = to + SEPARATOR.length;
  }
  return found;
}

export interface CutOptions {
  method: (typeof CHUNKING_METHODS)[number];
  chunkSize: number;
  chunkOverlap: number;
  unit: "tokens" | "characters";
  /** The start of each page. Default: form feeds separate pages. */
  pages?: readonly number[] | undefined;
  /** What the parts of the text are. Default: pages, where there are several. */
  layout?: TextLayout | undefined;
  /** Whether chunks of a long table begin with its header. Default: no. */
  tableHeads?: boolean | undefined;
  /** The maximum number of chunks. Default: any number. */
  maxChunks?: number | undefined;
}

/**
 * The maximum size of all chunks together, in sizes of the text: a large overlap repeats the text.
 */
export const MAX_REPETITIONS = 4;
/** A header that leaves less than this share of a chunk to the rows is not repeated. */
const MIN_ROOM = 0.5;
/** All chunks of a short text may have this many characters, whatever the repetitions. */
const MIN_CHARACTERS = 1_000_000;

/** A text with these options has more or longer chunks than one answer may hold. */
export class CutTooLarge extends Error {
  override name = "CutTooLarge";
}

export interface CutChunk extends Span {
  index: number;
  /** `text.slice(start, end)`, after the header of the table that it is a later part of. */
  content: string;
  tokenCount: number;
  pageNumber: number;
  place: Place;
  headings: string[];
}

type Cut = (text: string, part: Span, sizes: Sizes, ruler: Ruler) => Span[];

const METHODS: Record<CutOptions["method"], Cut> = {
  lib_recursive: cutRecursively,
  lib_text_splitter: cutByParagraphs,
  semchunk: cutSemantically,
  fixed_size: cutFixed,
};

/**
 * Cuts a text into chunks. Each chunk is within one part of the text, such as a page, and has the
 * titles of the sections that contain it.
 * @returns chunks with `text.slice(start, end) === content`, but for the header of a table, and
 * `tokenCount` in tokens of cl100k_base
 * @throws CutTooLarge
 */
export function cutText(
  text: string,
  { method, unit, pages, layout, tableHeads, maxChunks = Infinity, ...sizes }: CutOptions,
  countPiece: CountPiece,
): CutChunk[] {
  const tokens = tokenRuler(text, countPiece);
  const ruler = unit === "tokens" ? tokens : characterRuler();
  const parts = pagesOf(text, pages);
  const placeAt = placesIn(text, parts, layout);
  const cut = (part: Span, to: Sizes) => METHODS[method](text, part, to, ruler);
  const tables = tableHeads ? findTextTables(text).toReversed() : [];
  const cutPart = (part: Span) => cutAroundTables(part, { tables, cut, sizes, ruler });
  const chunks: CutChunk[] = [];
  let charactersLeft = Math.max(MIN_CHARACTERS, text.length * MAX_REPETITIONS);
  for (const [index, part] of parts.entries()) {
    if (part.start === part.end) continue;
    for (const { start, end, head } of cutPart(part)) {
      const above = head ? `${text.slice(head.start, head.end)}\n` : "";
      const content = above + text.slice(start, end);
      charactersLeft -= content.length;
      if (charactersLeft < 0 || chunks.length >= maxChunks) throw new CutTooLarge();
      chunks.push({
        index: chunks.length,
        content,
        start,
        end,
        tokenCount: head
          ? tokenRuler(content, countPiece).size(0, content.length)
          : tokens.size(start, end),
        ...placeAt(index, { start, end }),
      });
    }
  }
  return chunks;
}

interface HeadedSpan extends Span {
  head?: Span;
}

interface AroundTables {
  /** The last first; those of the page are taken. */
  tables: TextTable[];
  cut: (part: Span, sizes: Sizes) => Span[];
  sizes: Sizes;
  ruler: Ruler;
}

/**
 * Cuts a page, with each table that is larger than a chunk by itself, so that every chunk of it has
 * room for the header.
 */
function cutAroundTables(
  part: Span,
  { tables, cut, sizes, ruler }: AroundTables,
): HeadedSpan[] {
  const { chunkSize, chunkOverlap } = sizes;
  const spans: HeadedSpan[] = [];
  let from = part.start;
  for (let table = tables.at(-1); table && table.start < part.end; table = tables.at(-1)) {
    tables.pop();
    const { start, body, end, head } = table;
    const room = chunkSize - ruler.size(head.start, head.end + 1);
    const isLong = ruler.size(start, end) > chunkSize;
    if (end > part.end || start < from || !isLong || room < chunkSize * MIN_ROOM) continue;
    if (start > from) {
      for (const span of cut({ start: from, end: start }, sizes)) spans.push(span);
    }
    const rows = cut(
      { start: body, end },
      { chunkSize: room, chunkOverlap: Math.min(chunkOverlap, room - 1) },
    );
    for (const [at, row] of rows.entries())
      spans.push(at === 0 && body > start ? { start, end: row.end } : { ...row, head });
    from = end;
  }
  if (from < part.end) {
    for (const span of cut({ start: from, end: part.end }, sizes)) spans.push(span);
  }
  return spans;
}

/**
 * Overlapping chunks also contain the white space between their parts. Those that exceed the size
 * because of it are cut once more.
 */
function cutSemantically(text: string, part: Span, sizes: Sizes, ruler: Ruler): Span[] {
  const { chunkSize } = sizes;
  const chunks = semchunk(text, part, sizes, ruler.size);
  if (chunks.every(({ start, end }) => ruler.size(start, end) <= chunkSize)) return chunks;
  return chunks
    .flatMap((chunk) =>
      ruler.size(chunk.start, chunk.end) <= chunkSize
        ? [chunk]
        : semchunk(text, chunk, { chunkSize, chunkOverlap: 0 }, ruler.size),
    )
    .sort((one, other) => one.start - other.start || one.end - other.end);
}

function pagesOf(text: string, pages: readonly number[] | undefined): Span[] {
  const parts: Span[] = [];
  if (pages && pages.length > 0) {
    const starts = [0, ...pages.filter((at) => at > 0 && at < text.length)].sort(
      (a, b) => a - b,
    );
    return starts.map((start, n) => ({ start, end: starts[n + 1] ?? text.length }));
  }
  let start = 0;
  for (let at = text.indexOf("\f"); at >= 0; at = text.indexOf("\f", start)) {
    parts.push({ start, end: at });
    start = at + 1;
  }
  parts.push({ start, end: text.length });
  return parts;
}

/**
 * `fixed_size`: windows of one size, each of which starts `overlap` before the end of the previous
 * one. The last one ends with the text. No window divides a character.
 */
function cutFixed(text: string, part: Span, sizes: Sizes, ruler: Ruler): Span[] {
  return mergePieces(
    everyCharacter(text, part),
    sizes,
    { chunk: ruler.size, overlap: ruler.size },
    ruler,
  ).filter(({ start, end }) => text.slice(start, end).trim() !== "");
}
