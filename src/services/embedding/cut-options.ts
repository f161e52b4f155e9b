import type { CutOptions } from "./chunking/cut-text.ts";
import { DEFAULT_CHUNK_OVERLAP, DEFAULT_CHUNK_SIZE, DEFAULT_METHOD } from "./contract.ts";

/**
 * How a text is cut, with what was not said filled in. `semchunk` overlaps only where that is
 * asked: it would cut all into parts of the overlap's size, which costs it what it is better at
 * (design `retrieval.md` 1.4).
 */
export function cutOptionsOf({
  method = DEFAULT_METHOD,
  chunkSize = DEFAULT_CHUNK_SIZE,
  chunkOverlap,
  unit = "tokens",
  pages,
}: { [Key in keyof CutOptions]?: CutOptions[Key] | undefined }): CutOptions {
  const usual = method === "semchunk" ? 0 : DEFAULT_CHUNK_OVERLAP;
  return {
    method,
    chunkSize,
    chunkOverlap: Math.min(chunkOverlap ?? usual, chunkSize - 1),
    unit,
    ...(pages && { pages }),
  };
}
