import { mergePieces, type Sizes, type Span } from "./fit.ts";
import { cutRecursively } from "./recursive.ts";
import type { Ruler } from "./ruler.ts";
import { trimmed } from "./trim.ts";

const SEPARATOR = "\n\n";

/**
 * `lib_text_splitter`: the output of LangChain's CharacterTextSplitter (langchain-ai/langchainjs
 * `text_splitter.ts`), with positions. Cuts at blank lines and joins paragraphs up to the size.
 * Cuts a larger paragraph by `lib_recursive`, whereas LangChain leaves it whole.
 */
export function cutByParagraphs(
  text: string,
  part: Span,
  sizes: Sizes,
  ruler: Ruler,
): Span[] {
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
