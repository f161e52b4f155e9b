import type { CountPiece } from "./byte-pairs.ts";
import { cutByParagraphs } from "./by-paragraphs.ts";
import type { CHUNKING_METHODS } from "../contract-jobs.ts";
import { cutFixed } from "./fixed-size.ts";
import type { Sizes, Span } from "./fit.ts";
import { readHeadings } from "./headings.ts";
import { cutRecursively } from "./recursive.ts";
import { characterRuler, type Ruler, tokenRuler } from "./ruler.ts";
import { semchunk } from "./semchunk.ts";

export interface CutOptions {
  method: (typeof CHUNKING_METHODS)[number];
  chunkSize: number;
  chunkOverlap: number;
  unit: "tokens" | "characters";
  /** The start of each page. Default: form feeds separate pages. */
  pages?: readonly number[] | undefined;
  /** The maximum number of chunks. Default: any number. */
  maxChunks?: number | undefined;
}

/**
 * The maximum size of all chunks together, in sizes of the text: a large overlap repeats the text.
 */
export const MAX_REPETITIONS = 4;
/** All chunks of a short text may have this many characters, whatever the repetitions. */
const MIN_CHARACTERS = 1_000_000;

/** A text with these options has more or longer chunks than one answer may hold. */
export class CutTooLarge extends Error {
  override name = "CutTooLarge";
}

export interface CutChunk extends Span {
  index: number;
  content: string;
  tokenCount: number;
  pageNumber: number;
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
 * Cuts a text into chunks. Each chunk is within one page, and has the titles of the sections that
 * contain it.
 * @returns chunks with `text.slice(start, end) === content`, and `tokenCount` in tokens of
 * cl100k_base
 * @throws CutTooLarge
 */
export function cutText(
  text: string,
  { method, unit, pages, maxChunks = Infinity, ...sizes }: CutOptions,
  countPiece: CountPiece,
): CutChunk[] {
  const tokens = tokenRuler(text, countPiece);
  const ruler = unit === "tokens" ? tokens : characterRuler();
  const sectionsAt = readHeadings(text);
  const chunks: CutChunk[] = [];
  let charactersLeft = Math.max(MIN_CHARACTERS, text.length * MAX_REPETITIONS);
  for (const [page, part] of pagesOf(text, pages).entries()) {
    if (part.start === part.end) continue;
    for (const { start, end } of METHODS[method](text, part, sizes, ruler)) {
      charactersLeft -= end - start;
      if (charactersLeft < 0 || chunks.length >= maxChunks) throw new CutTooLarge();
      chunks.push({
        index: chunks.length,
        content: text.slice(start, end),
        start,
        end,
        tokenCount: tokens.size(start, end),
        pageNumber: page + 1,
        headings: sectionsAt(start),
      });
    }
  }
  return chunks;
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
