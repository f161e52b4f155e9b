import { uuidv7 } from "uuidv7";
import { detectLanguage } from "../../../platform/detect-language.ts";
import { cutInWorker } from "../chunking/cut-in-worker.ts";
import type { CutChunk } from "../chunking/cut-text.ts";
import { termsOf } from "../contract-terms.ts";
import { textConfigOf } from "../contract-words.ts";
import { checkAttempt, type IndexDeps, type IndexRequest } from "./attempt.ts";
import { type AnalysedText, createTextAnalysis } from "./text-analysis.ts";
import {
  addChunks,
  type ChunkSet,
  closeChunks,
  countChunks,
  type NewChunk,
} from "./sets-store.ts";

const CHUNKS_PER_STATEMENT = 200;
const DOCUMENT_SAMPLE_CHARACTERS = 8_000;
/** The number of characters that the detector reads at once. */
const CHUNK_SAMPLE_CHARACTERS = 350;
/** A chunk with fewer letters has the document's language. */
const MIN_LETTERS = 60;

/** Cuts a text and stores its chunks. @returns the number of chunks. @throws AttemptOver. */
export async function storeChunks(
  { db, workers }: IndexDeps,
  set: ChunkSet,
  request: IndexRequest,
): Promise<number> {
  const { text, options, ownerId: userId, signal, isBackground } = request;
  const turn = { userId, signal, isBackground };
  const chunks = await cutInWorker(workers, text, { ...options, tableHeads: true }, turn);
  const { language } = await detectLanguage(text.slice(0, DOCUMENT_SAMPLE_CHARACTERS));
  const configs = new Set<string>();
  const analyse = createTextAnalysis(db);
  const stored = Math.min(await countChunks(db, set.id), chunks.length);
  for (let at = 0; at < chunks.length; at += CHUNKS_PER_STATEMENT) {
    await checkAttempt(db, request);
    const group = await Promise.all(
      chunks.slice(at, at + CHUNKS_PER_STATEMENT).map(async (chunk) => ({
        ...chunk,
        language: await detectChunkLanguage(chunk.content, language),
      })),
    );
    for (const chunk of group) configs.add(textConfigOf(chunk.language));
    // chunks are stored in order, one statement at a time
    if (at + CHUNKS_PER_STATEMENT <= stored) continue;
    const texts = await analyse(group.map(toText));
    await addChunks(
      db,
      set,
      group.flatMap((chunk, n) => toNewChunk(chunk, texts[n])),
    );
  }
  await closeChunks(db, set.id, chunks.length, [...configs]);
  return chunks.length;
}

type ChunkInLanguage = CutChunk & { language: string | null };

/** The text that full-text search finds a chunk by: its headings and its content. */
export function toText({
  content,
  headings,
  language,
}: Pick<ChunkInLanguage, "content" | "headings" | "language">) {
  const missing = headings.filter((title) => !content.includes(title));
  const terms = termsOf([...missing, content].join("\n"));
  return { terms, textConfig: textConfigOf(language) };
}

function toNewChunk(chunk: ChunkInLanguage, text: AnalysedText | undefined): NewChunk[] {
  return text ? [{ ...chunk, ...text, id: uuidv7() }] : [];
}

/**
 * Detects the language of a chunk. Detection is slow, so only a chunk whose middle is in another
 * language than the document is read in full.
 */
async function detectChunkLanguage(
  content: string,
  documentLanguage: string | null,
): Promise<string | null> {
  const from = Math.max(0, (content.length - CHUNK_SAMPLE_CHARACTERS) >> 1);
  const sample = content.slice(from, from + CHUNK_SAMPLE_CHARACTERS);
  const { language: sampled } = await detectLanguage(sample, MIN_LETTERS);
  if (sampled === documentLanguage) return documentLanguage;
  const { language } = await detectLanguage(content, MIN_LETTERS);
  return language ?? documentLanguage;
}
