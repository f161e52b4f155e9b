import { LOCAL_PROVIDER } from "../contract.ts";
import { wordsOf } from "../contract-words.ts";
import { type EmbeddingModel, normalised } from "./embedding-model.ts";
import { STOP_WORDS } from "./stop-words.ts";

export const HASHED_WORDS = "hashed-words-v1";
const USUAL_DIMENSIONS = 1024;
const MAX_BATCH = 256;
const GRAM = 4;
const GRAM_WEIGHT = 0.3;
const SINGLE_WEIGHT = 0.5;
/** How soon repeating a word stops to count. */
const SATURATION = 1.2;

/**
 * The embedded default, without a model or a download: words and groups of four characters, hashed
 * into 1024 numbers, or as many as are wanted. It finds the same and similar words and knows
 * nothing of meaning, so it is combined with full-text search.
 */
export function hashedWords(dimensions = USUAL_DIMENSIONS): EmbeddingModel {
  return {
    name: HASHED_WORDS,
    provider: LOCAL_PROVIDER,
    dimensions,
    maxBatchSize: MAX_BATCH,
    local: true,
    embed: async (texts) => texts.map((text) => hashWords(text, dimensions)),
  };
}

/** A unit vector; of a text without words all zeros but the first. */
export function hashWords(text: string, dimensions = USUAL_DIMENSIONS): number[] {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text))
    if (!STOP_WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const vector = Array.from({ length: dimensions }, () => 0);
  const grams = new Map<string, number>();
  for (const [word, count] of counts) {
    add(vector, word, weightOf(word) * saturated(count));
    const framed = `_${word}_`;
    for (let at = 0; at + GRAM <= framed.length; at += 1) {
      const gram = framed.slice(at, at + GRAM);
      grams.set(gram, (grams.get(gram) ?? 0) + count);
    }
  }
  for (const [gram, count] of grams) add(vector, `#${gram}`, GRAM_WEIGHT * saturated(count));
  if (counts.size === 0) vector[0] = 1;
  return normalised(vector);
}

/** One character of a script without spaces says less than a word or a pair. */
function weightOf(word: string): number {
  return word.length === 1 && word > "\u0e00" ? SINGLE_WEIGHT : 1;
}

function saturated(count: number): number {
  return (count * (SATURATION + 1)) / (count + SATURATION);
}

function add(vector: number[], feature: string, weight: number): void {
  const hash = hashOf(feature);
  const at = (hash >>> 1) % vector.length;
  vector[at] = (vector[at] ?? 0) + (hash & 1 ? weight : -weight);
}

/**
 * FNV-1a over UTF-16 units, mixed so that each bit depends on all. Must never change: stored
 * vectors were made with it.
 */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
