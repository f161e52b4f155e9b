import { type Sizes, mergePieces, type Span } from "./fit.ts";
import { everyCharacter } from "./recursive.ts";
import type { Ruler } from "./ruler.ts";

/**
 * `fixed_size`: windows of one size, each beginning so far before the end of the one before as they
 * overlap; the last ends with the text. A window ends between two characters. Source: requirements
 * 2 "Chunking methods".
 */
export function cutFixed(text: string, part: Span, sizes: Sizes, ruler: Ruler): Span[] {
  return mergePieces(
    everyCharacter(text, part),
    sizes,
    { chunk: ruler.size, overlap: ruler.size },
    ruler,
  ).filter(({ start, end }) => text.slice(start, end).trim() !== "");
}
