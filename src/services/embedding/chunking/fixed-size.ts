import { type Sizes, mergePieces, type Span } from "./fit.ts";
import { everyCharacter } from "./recursive.ts";
import type { Ruler } from "./ruler.ts";

/**
 * `fixed_size`: windows of one size, each of which starts `overlap` before the end of the previous
 * one. The last one ends with the text. No window divides a character.
 */
export function cutFixed(text: string, part: Span, sizes: Sizes, ruler: Ruler): Span[] {
  return mergePieces(
    everyCharacter(text, part),
    sizes,
    { chunk: ruler.size, overlap: ruler.size },
    ruler,
  ).filter(({ start, end }) => text.slice(start, end).trim() !== "");
}
