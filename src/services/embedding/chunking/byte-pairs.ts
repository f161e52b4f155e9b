import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const MAX_CACHED = 50_000;
const NONE = 0x7fffffff;

/** Counts the tokens of one piece, which cl100k_base forms by merging byte pairs. */
export type CountPiece = (piece: string) => number;

/** Reads the ranks, some 20 MB in memory. Called only where texts are cut. */
export async function loadByteRanks(): Promise<Map<string, number>> {
  const file = createRequire(import.meta.url).resolve("gpt-tokenizer/bpeRanks/cl100k_base");
  const { default: tokens } = (await import(
    pathToFileURL(file.replace("/cjs/", "/esm/")).href
  )) as {
    default: readonly (string | readonly number[])[];
  };
  const ranks = new Map<string, number>();
  tokens.forEach((token, rank) =>
    ranks.set(
      typeof token === "string" ? bytesOf(token) : String.fromCharCode(...token),
      rank,
    ),
  );
  return ranks;
}

/** Counts the tokens of pieces, and caches the counts of pieces with several tokens. */
export function pieceCounter(ranks: ReadonlyMap<string, number>): CountPiece {
  const kept = new Map<string, number>();
  return (piece) => {
    if (ranks.has(piece) && isAscii(piece)) return 1;
    const known = kept.get(piece);
    if (known !== undefined) return known;
    const bytes = bytesOf(piece);
    const count = ranks.has(bytes) ? 1 : join(bytes, ranks);
    if (kept.size >= MAX_CACHED) kept.clear();
    kept.set(piece, count);
    return count;
  };
}

/**
 * Merges the adjacent pair with the lowest rank until no pair has a rank.
 * @returns the number of parts that are left
 */
function join(bytes: string, ranks: ReadonlyMap<string, number>): number {
  const length = bytes.length;
  // a linked list of parts: for each start of a part, the start of the next one, and the rank of
  // both merged
  const next = Int32Array.from({ length: length + 1 }, (_, at) => at + 1);
  const joined = new Int32Array(length + 1).fill(NONE);
  const rankOf = (at: number): number => {
    const second = next[at] ?? length;
    return second >= length ? NONE : (ranks.get(bytes.slice(at, next[second])) ?? NONE);
  };
  for (let at = 0; at < length - 1; at += 1) joined[at] = rankOf(at);
  let parts = length;
  while (parts > 1) {
    let best = -1;
    let beforeBest = -1;
    let lowest = NONE;
    for (let at = 0, previous = -1; at < length; previous = at, at = next[at] ?? length) {
      const rank = joined[at] ?? NONE;
      if (rank < lowest) [lowest, best, beforeBest] = [rank, at, previous];
    }
    if (best < 0) break;
    next[best] = next[next[best] ?? length] ?? length;
    parts -= 1;
    joined[best] = rankOf(best);
    if (beforeBest >= 0) joined[beforeBest] = rankOf(beforeBest);
  }
  return parts;
}

/** The UTF-8 bytes of a text, each as one character. */
function bytesOf(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}
