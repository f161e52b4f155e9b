import { MAX_EXACT_CHUNKS } from "./contract.ts";

const MAX_BYTES = 256 * 2 ** 20;
const SHARE_OF_MEMORY = 1 / 8;
/** Of a vector, beside its numbers of 8 bits: ids, scale and place. */
const BYTES_BESIDE = 40;

/**
 * How many vectors the retrieval service holds in memory beside an embedded database.
 * @param memory bytes that the process may use.
 */
export function mostInMemory(memory: number, dimensions: number): number {
  const bytes = Math.min(MAX_BYTES, memory * SHARE_OF_MEMORY);
  return Math.floor(bytes / (dimensions + BYTES_BESIDE));
}

/** Up to so many vectors are compared one by one. Beyond, there is an HNSW index. */
export function mostExact(
  { isEmbedded }: { isEmbedded: boolean },
  memory: number,
  dimensions: number,
): number {
  return isEmbedded
    ? Math.max(MAX_EXACT_CHUNKS, mostInMemory(memory, dimensions))
    : MAX_EXACT_CHUNKS;
}
