import { LOCAL_PROVIDER } from "../contract.ts";
import { wordsOf } from "../contract-words.ts";
import { type EmbeddingModel, normalised } from "./embedding-model.ts";
import { STOP_WORDS } from "./stop-words.ts";

export const HASHED_WORDS = "hashed-words-v1";
export const DEFAULT_DIMENSIONS = 1024;
const MAX_TEXTS = 256;
const GRAM_CHARACTERS = 4;
const GRAM_WEIGHT = 0.3;
const SINGLE_WEIGHT = 0.5;
/** A larger value adds more to a word's weight with each repetition. */
const SATURATION = 1.2;

/**
 * The default, which needs no model: hashes words and groups of four characters into 1,024 numbers.
 * It finds equal and similar words, and knows nothing of their meaning.
 */
export function hashedWords(dimensions = DEFAULT_DIMENSIONS): EmbeddingModel {
  return {
    name: HASHED_WORDS,
    provider: LOCAL_PROVIDER,
    dimensions,
    maxBatchSize: MAX_TEXTS,
    local: true,
    embed: async (texts) => texts.map((text) => hashWords(text, dimensions)),
  };
}

/** Returns a unit vector. A text without words has zeros, except for the first number. */
export function hashWords(text: string, dimensions = DEFAULT_DIMENSIONS): number[] {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text))
    if (!STOP_WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const vector = Array.from({ length: dimensions }, () => 0);
  const grams = new Map<number, number>();
  for (const [word, count] of counts) {
    const hashes = hashesOf(word);
    add(vector, hashes.word, weightOf(word) * saturated(count));
    for (const gram of hashes.grams) grams.set(gram, (grams.get(gram) ?? 0) + count);
  }
  for (const [gram, count] of grams) add(vector, gram, GRAM_WEIGHT * saturated(count));
  if (counts.size === 0) vector[0] = 1;
  return normalised(vector);
}

interface WordHashes {
  word: number;
  grams: readonly number[];
}

const cache = new Map<string, WordHashes>();
const MAX_CACHED_WORDS = 20_000;

function hashesOf(word: string): WordHashes {
  const known = cache.get(word);
  if (known) return known;
  const framed = `_${word}_`;
  const grams: number[] = [];
  for (let at = 0; at + GRAM_CHARACTERS <= framed.length; at += 1)
    grams.push(hashOf(`#${framed.slice(at, at + GRAM_CHARACTERS)}`));
  const hashes = { word: hashOf(word), grams };
  if (cache.size >= MAX_CACHED_WORDS) cache.clear();
  cache.set(word, hashes);
  return hashes;
}

/** A single character of a script without spaces has less meaning than a word or a pair. */
function weightOf(word: string): number {
  return word.length === 1 && word > "\u0e00" ? SINGLE_WEIGHT : 1;
}

function saturated(count: number): number {
  return (count * (SATURATION + 1)) / (count + SATURATION);
}

function add(vector: number[], hash: number, weight: number): void {
  const at = (hash >>> 1) % vector.length;
  vector[at] = (vector[at] ?? 0) + (hash & 1 ? weight : -weight);
}

/**
 * FNV-1a over UTF-16 units, mixed so that each bit depends on all others. It must never change,
 * because stored vectors depend on it.
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
