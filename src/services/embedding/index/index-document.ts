import { createHash } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { ApiError, NotFound, Unavailable } from "../../../platform/http/errors.ts";
import type { CutChunk, CutOptions } from "../chunking/cut-text.ts";
import type { Cutter } from "../chunking/start-cutter.ts";
import { searchableText, textConfigOf } from "../contract-words.ts";
import { detectLanguage } from "../../../platform/detect-language.ts";
import type { Translator } from "../languages/translate.ts";
import type { EmbeddingModel } from "../models/embedding-model.ts";
import type { EmbeddingModels } from "../models/config.ts";
import { embedChunks } from "./embed-chunks.ts";
import { activeModel, nextModel, type StoredModel } from "./models-store.ts";
import {
  addChunks,
  addTextConfig,
  type ChunkSet,
  closeChunks,
  countChunks,
  countTranslated,
  countVectors,
  dropStopped,
  findAttempt,
  makeCurrent,
  type NewChunk,
  openSet,
  saveTranslation,
  unembedded,
  untranslated,
} from "./sets-store.ts";

export interface IndexDeps {
  db: Database;
  cutter: Cutter;
  models: EmbeddingModels;
  translator: Translator;
}

export interface IndexRequest {
  /** The document's attempt: when another is under way, or it was stopped, this is over. */
  jobId: string;
  documentId: string;
  text: string;
  options: CutOptions;
  translate: boolean;
  /** Told what share is done. */
  report(progress: number): Promise<void>;
  signal: AbortSignal;
}

export interface Indexed {
  chunks: number;
  embedded: number;
  translated: number;
  model: string;
  dimensions: number;
}

/** Part of the fingerprint: raised when the same text would be stored otherwise. */
const VERSION = 3;
const CHUNKS_A_STATEMENT = 200;
const VECTORS_A_BATCH = 64;
const TRANSLATIONS_AT_ONCE = 4;
const SAMPLE = 8_000;

/**
 * Cuts a text, translates what is not English where that is asked, embeds it, and puts it in the
 * place of the document's former chunks when all of it is there. Each step is stored: when it comes
 * again, in whatever process, it goes on where it stopped, and twice is as once.
 * @returns undefined when its document is gone, was stopped, or another attempt took its place.
 * @throws NotFound `document_not_found`, ApiError `no_text_found`; what models and translator
 * throw.
 */
export async function indexDocument(
  deps: IndexDeps,
  request: IndexRequest,
): Promise<Indexed | undefined> {
  try {
    return await indexAttempt(deps, request);
  } catch (error) {
    if (!(error instanceof AttemptOver)) throw error;
    await dropStopped(deps.db, request.documentId);
    return undefined;
  }
}

/** Nobody waits for it any more. */
class AttemptOver extends Error {}

async function indexAttempt(deps: IndexDeps, request: IndexRequest): Promise<Indexed> {
  const { db } = deps;
  const { jobId, documentId, report } = request;
  checkText(request.text);
  const set = await openSet(db, uuidv7(), documentId, fingerprintOf(request));
  if (!set) throw new NotFound("document_not_found", "There is no such document that you may see.");
  const chunks = set.totalChunks > 0 ? set.totalChunks : await storeChunks(deps, set, request);
  await report(0.1);
  // without a language model texts are searched as they are
  if (request.translate && (await deps.translator.model()) !== null)
    await translateChunks(deps, set, request);

  await embedSet(deps, set, chunks, request);
  if (!(await makeCurrent(db, set, jobId))) throw new AttemptOver();
  // the model may have changed meanwhile: the new one did not see this document when it had
  // embedded all others
  const { model, stored } = await embedSet(deps, set, chunks, request);
  const embedded = await countVectors(db, set.id, stored.id);
  return {
    chunks,
    embedded,
    translated: await countTranslated(db, set.id),
    model: model.name,
    dimensions: model.dimensions,
  };
}

interface ModelReached {
  model: EmbeddingModel;
  stored: StoredModel;
}

/**
 * The model that questions are asked in.
 * @throws Unavailable when the configuration does not reach it.
 */
export async function modelInUse({
  db,
  models,
}: Pick<IndexDeps, "db" | "models">): Promise<ModelReached> {
  const stored = await activeModel(db);
  const model = stored && models.find(stored.name, stored.provider, stored.dimensions);
  if (!stored || !model)
    throw new Unavailable(
      "embedding_model_unreachable",
      "The embedding model that the index was made with is not configured. Set EMBEDDING_PROVIDER and EMBEDDING_MODEL to it, or wait for the new one.",
      30_000,
    );
  return { model, stored };
}

/** @throws ApiError `no_text_found`: an index of nothing is no success. */
export function checkText(text: string): void {
  if (!/[^\p{Z}\p{C}]/u.test(text))
    throw new ApiError(
      422,
      "no_text_found",
      "There is no text to index. Give one with words in it.",
    );
}

/** @throws AttemptOver, and why the process must stop. */
async function checkAttempt(
  db: Database,
  { documentId, jobId, signal }: IndexRequest,
): Promise<void> {
  signal.throwIfAborted();
  const attempt = await findAttempt(db, documentId);
  if (!attempt || attempt.jobId !== jobId) throw new AttemptOver();
}

async function storeChunks(
  { db, cutter }: IndexDeps,
  set: ChunkSet,
  request: IndexRequest,
): Promise<number> {
  const { text, options } = request;
  const chunks = await cutter.cut(text, options);
  const language = (await detectLanguage(text.slice(0, SAMPLE))).language;
  const configs = new Set<string>();
  const from = Math.min(await countChunks(db, set.id), chunks.length);
  for (let at = 0; at < chunks.length; at += CHUNKS_A_STATEMENT) {
    await checkAttempt(db, request);
    const group = await Promise.all(
      chunks.slice(at, at + CHUNKS_A_STATEMENT).map((chunk) => newChunk(chunk, language)),
    );
    for (const { textConfig } of group) configs.add(textConfig);
    // they are stored in order, whole statements at a time
    if (at + CHUNKS_A_STATEMENT > from) await addChunks(db, set, group);
  }
  await closeChunks(db, set.id, chunks.length, [...configs]);
  return chunks.length;
}

/** Its language is the document's, unless it is long enough to say another. */
async function newChunk(chunk: CutChunk, documentLanguage: string | null): Promise<NewChunk> {
  const { index, content, start, end, tokenCount, pageNumber, headings } = chunk;
  const own = await detectLanguage(content, 60);
  const language = own.language ?? documentLanguage;
  const outside = headings.filter((title) => !content.includes(title));
  const words = searchableText([...outside, content].join("\n"));
  return {
    id: uuidv7(),
    index,
    content,
    language,
    textConfig: textConfigOf(language),
    words,
    start,
    end,
    tokenCount,
    pageNumber,
    headings,
  };
}

async function translateChunks(
  { db, translator }: IndexDeps,
  set: ChunkSet,
  request: IndexRequest,
): Promise<void> {
  for (;;) {
    await checkAttempt(db, request);
    const some = await untranslated(db, set.id, TRANSLATIONS_AT_ONCE);
    if (some.length === 0) return;
    await Promise.all(
      some.map(async ({ id, content }) => {
        const english = await translator.toEnglish(content, request.signal);
        await saveTranslation(db, id, english, searchableText(english));
      }),
    );
    await addTextConfig(db, set.id, "english");
  }
}

/**
 * Embeds what is missing in the model in use. Where that cannot be asked any more and another is
 * taking its place, in that one alone: then the document is found by its words until the change is
 * complete.
 */
async function embedSet(
  deps: IndexDeps,
  set: ChunkSet,
  chunks: number,
  request: IndexRequest,
): Promise<ModelReached> {
  try {
    const used = await modelInUse(deps);
    await embedIn(deps, set, { ...used, chunks }, request);
    return used;
  } catch (error) {
    const stored =
      error instanceof ApiError && !request.signal.aborted ? await nextModel(deps.db) : undefined;
    const model = stored && deps.models.find(stored.name, stored.provider, stored.dimensions);
    if (!stored || !model) throw error;
    await embedIn(deps, set, { model, stored, chunks }, request);
    return { model, stored };
  }
}

async function embedIn(
  { db }: IndexDeps,
  set: ChunkSet,
  { model, stored, chunks }: ModelReached & { chunks: number },
  request: IndexRequest,
): Promise<void> {
  let done = await countVectors(db, set.id, stored.id);
  for (;;) {
    const batch = await unembedded(
      db,
      set.id,
      stored.id,
      Math.min(VECTORS_A_BATCH, model.maxBatchSize),
    );
    if (batch.length === 0) return;
    await checkAttempt(db, request);
    await embedChunks(db, model, stored.id, batch, request.signal);
    done += batch.length;
    await request.report(Math.min(1, 0.1 + (0.9 * done) / Math.max(1, chunks)));
  }
}

function fingerprintOf({ text, options, translate }: IndexRequest): string {
  return createHash("sha256")
    .update(JSON.stringify([VERSION, options, translate]))
    .update(text)
    .digest("hex");
}
