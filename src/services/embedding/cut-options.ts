import type { CutOptions } from "./chunking/cut-text.ts";
import { DEFAULT_CHUNK_OVERLAP, DEFAULT_CHUNK_SIZE, DEFAULT_METHOD } from "./contract.ts";

/**
 * Adds the defaults to the options of a cut. `semchunk` has no overlap by default: an overlap makes
 * it cut everything into parts of the overlap's size, so that sections and paragraphs are divided.
 */
export function cutOptionsOf({
  method = DEFAULT_METHOD,
  chunkSize = DEFAULT_CHUNK_SIZE,
  chunkOverlap,
  unit = "tokens",
  pages,
  tableHeads,
  layout,
}: { [Key in keyof CutOptions]?: CutOptions[Key] | undefined }): CutOptions {
  const usual = method === "semchunk" ? 0 : DEFAULT_CHUNK_OVERLAP;
  return {
    method,
    chunkSize,
    chunkOverlap: Math.min(chunkOverlap ?? usual, chunkSize - 1),
    unit,
    ...(pages && { pages }),
    ...(tableHeads && { tableHeads }),
    ...(layout && { layout }),
  };
}
