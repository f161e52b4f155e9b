import {
  type Cuts,
  type Measures,
  mergePieces,
  type Sizes,
  type Span,
  trimmed,
} from "./fit.ts";
import type { Ruler } from "./ruler.ts";
const SEPARATORS = ["\n\n", "\n", " ", ""];

/**
 * `lib_recursive`: the output of LangChain's RecursiveCharacterTextSplitter, with positions. Cuts
 * before the first separator that occurs, joins small pieces, and cuts large ones by the next
 * separator. It never divides a character, and sizes in tokens are those of the finished chunk.
 * Source: langchain-ai/langchainjs `text_splitter.ts`.
 */
export function cutRecursively(
  text: string,
  part: Span,
  sizes: Sizes,
  ruler: Ruler,
): Span[] {
  return cut(text, part, sizes, ruler, 0).filter(({ start, end }) => end > start);
}

function cut(text: string, part: Span, sizes: Sizes, ruler: Ruler, level: number): Span[] {
  const measures = measureTrimmed(text, ruler);
  const at = SEPARATORS.findIndex(
    (one, index) => index >= level && (one === "" || occursIn(text, one, part)),
  );
  const separator = SEPARATORS[at] ?? "";
  if (separator === "")
    return merged(text, everyCharacter(text, part), sizes, measures, ruler);

  const cuts = cutsBefore(text, separator, part);
  const chunks: Span[] = [];
  let smallFrom = 0;
  const mergeUpTo = (index: number) => {
    if (index <= smallFrom) return;
    const small = cuts.slice(smallFrom, index + 1);
    for (const chunk of merged(text, small, sizes, measures, ruler)) chunks.push(chunk);
  };
  for (let index = 0; index < cuts.length - 1; index += 1) {
    const piece = { start: cuts[index] ?? 0, end: cuts[index + 1] ?? 0 };
    if (ruler.size(piece.start, piece.end) < sizes.chunkSize) continue;
    mergeUpTo(index);
    for (const chunk of cut(text, piece, sizes, ruler, at + 1)) chunks.push(chunk);
    smallFrom = index + 1;
  }
  mergeUpTo(cuts.length - 1);
  return chunks;
}

function merged(
  text: string,
  cuts: number[] | Cuts,
  sizes: Sizes,
  measures: Measures,
  ruler: Ruler,
): Span[] {
  const places: Cuts = Array.isArray(cuts)
    ? { length: cuts.length, at: (index) => cuts[index] ?? 0 }
    : cuts;
  return mergePieces(places, sizes, measures, ruler)
    .map((chunk) => trimmed(text, chunk))
    .filter(({ start, end }) => end > start);
}

/**
 * Counts characters before trimming, as LangChain does, and tokens after trimming, which may be
 * more than before.
 */
function measureTrimmed(text: string, ruler: Ruler): Measures {
  if (ruler.unit === "characters") return { chunk: ruler.size, overlap: ruler.size };
  const measure = (start: number, end: number) => {
    const inner = trimmed(text, { start, end });
    return ruler.size(inner.start, inner.end);
  };
  return { chunk: measure, overlap: measure };
}

function occursIn(text: string, separator: string, { start, end }: Span): boolean {
  return text.slice(start, end).includes(separator);
}

/**
 * Cuts at both ends of the part, and before each occurrence of the separator, also where
 * occurrences overlap.
 */
function cutsBefore(text: string, separator: string, { start, end }: Span): number[] {
  const inner = text.slice(start, end);
  const cuts = [start];
  for (let at = inner.indexOf(separator, 1); at >= 0; at = inner.indexOf(separator, at + 1))
    cuts.push(start + at);
  cuts.push(end);
  return cuts;
}

/** Cuts between all characters. The halves of a surrogate pair stay together. */
export function everyCharacter(text: string, { start, end }: Span): Cuts {
  const pairs = text.slice(start, end).search(/[\ud800-\udbff][\udc00-\udfff]/) >= 0;
  if (!pairs)
    return { length: end - start + 1, at: (index) => start + index, everywhere: true };
  const cuts: number[] = [];
  for (let at = start; at < end; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
    cuts.push(at);
  cuts.push(end);
  return { length: cuts.length, at: (index) => cuts[index] ?? end, everywhere: true };
}
