import type { Database } from "../../platform/db/database.ts";
import { wordsOf } from "../embedding/contract-words.ts";
import { type FoundChunk, readChunks } from "./chunk-store.ts";
import type { Question } from "./find-candidates.ts";
import type { Found } from "./vector-search.ts";

/** Of chunks that are alike, `hybrid` returns so many. Two, because versions may contradict. */
const MAX_ALIKE = 2;
/** The share of words that chunks have in common to be alike. */
const ALIKE_SHARE = 0.9;
/** Chunks with fewer different words, such as the title of a page, are never alike. */
const MIN_WORDS = 20;

/**
 * Reads the best of the chunks that an engine found. `hybrid` leaves out further chunks with nearly
 * the same words, so that copies and versions of a document leave room for others.
 */
export async function readBest(
  db: Database,
  { engineName }: Pick<Question, "engineName">,
  found: readonly Found[],
  limit: number,
): Promise<FoundChunk[]> {
  if (engineName !== "hybrid") return readChunks(db, found.slice(0, limit));
  const best: { chunk: FoundChunk; words: ReadonlySet<string> }[] = [];
  for (let at = 0; at < found.length && best.length < limit; at += limit)
    for (const chunk of await readChunks(db, found.slice(at, at + limit))) {
      const words = new Set(wordsOf(chunk.content));
      const alike = best.filter((known) => areAlike(known.words, words));
      if (alike.length < MAX_ALIKE && best.length < limit) best.push({ chunk, words });
    }
  return best.map(({ chunk }) => chunk);
}

/** By the Jaccard index of their words. */
function areAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const fewer = Math.min(one.size, other.size);
  const more = Math.max(one.size, other.size);
  if (fewer < MIN_WORDS || fewer < ALIKE_SHARE * more) return false;
  const common = one.intersection(other).size;
  return common >= ALIKE_SHARE * (one.size + other.size - common);
}
