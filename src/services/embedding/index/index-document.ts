import { createHash } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { isForeignKeyViolation } from "../../../platform/db/errors.ts";
import { ApiError, NotFound } from "../../../platform/http/errors.ts";
import {
  AttemptOver,
  checkAttempt,
  isCurrentAttempt,
  type IndexDeps,
  type IndexRequest,
} from "./attempt.ts";
import { EMBEDDING_STARTS_AT, embedSet } from "./embed-chunks.ts";
import {
  countTranslated,
  countVectors,
  dropStopped,
  makeCurrent,
  openSet,
  addTextConfig,
  type ChunkSet,
  saveTranslation,
  untranslated,
} from "./sets-store.ts";
import { storeChunks } from "./store-chunks.ts";
import { termsOf } from "../contract-terms.ts";
import { createTextAnalysis } from "./text-analysis.ts";

export interface Indexed {
  chunks: number;
  embedded: number;
  translated: number;
  model: string;
  dimensions: number;
}

/** Part of the fingerprint. Increase it when the same text would be stored in another way. */
const VERSION = 5;

/**
 * Cuts a text, translates it if requested, embeds it, and replaces the document's former chunks
 * when everything is stored. Idempotent: each step is stored, and a later call in any process
 * continues where an earlier one stopped.
 * @returns undefined when the document was deleted or stopped, or has a newer attempt.
 * @throws NotFound `document_not_found`, ApiError `no_text_found`, and what models and translator
 * throw.
 */
export async function indexDocument(
  deps: IndexDeps,
  request: IndexRequest,
): Promise<Indexed | undefined> {
  try {
    return await indexAttempt(deps, request);
  } catch (error) {
    if (!(await isOver(deps, request, error))) throw error;
    await dropStopped(deps.db, request.documentId);
    return undefined;
  }
}

/** Whether another attempt replaced this one and deleted its chunks. */
async function isOver(
  { db }: IndexDeps,
  request: IndexRequest,
  error: unknown,
): Promise<boolean> {
  if (error instanceof AttemptOver) return true;
  return isForeignKeyViolation(error) && !(await isCurrentAttempt(db, request));
}

async function indexAttempt(deps: IndexDeps, request: IndexRequest): Promise<Indexed> {
  const { db } = deps;
  const { jobId, documentId, report } = request;
  checkText(request.text);
  const set = await db.tx(async () => {
    const opened = await openSet(db, uuidv7(), documentId, fingerprintOf(request));
    if (!opened)
      throw new NotFound(
        "document_not_found",
        "There is no such document that you may see. Upload it to the documents " +
          "service first.",
      );
    // locks the document, so that an old attempt deletes nothing of a newer one
    await checkAttempt(db, request);
    return opened;
  });
  const chunks =
    set.totalChunks > 0 ? set.totalChunks : await storeChunks(deps, set, request);
  await report(EMBEDDING_STARTS_AT);
  // without a language model, texts are indexed in their own language
  if (request.translate && (await deps.translator.model()) !== null)
    await translateChunks(deps, set, request);

  await embedSet(deps, set, chunks, request);
  if (!(await makeCurrent(db, set, jobId))) throw new AttemptOver();
  // the active model may have changed meanwhile: the change did not include this set, which was not
  // current yet
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

/** @throws ApiError `no_text_found` when there is nothing to index. */
export function checkText(text: string): void {
  if (!/[^\p{Z}\p{C}]/u.test(text))
    throw new ApiError(
      422,
      "no_text_found",
      "The text contains no words. Send a text with words in it.",
    );
}

function fingerprintOf({ text, options, translate }: IndexRequest): string {
  return createHash("sha256")
    .update(JSON.stringify([VERSION, options, translate]))
    .update(text)
    .digest("hex");
}

const CONCURRENT_TRANSLATIONS = 4;

/** Translates the chunks that are not in English. @throws AttemptOver. */
async function translateChunks(
  { db, translator }: IndexDeps,
  set: ChunkSet,
  request: IndexRequest,
): Promise<void> {
  const analyse = createTextAnalysis(db);
  for (let after = -1; ;) {
    await checkAttempt(db, request);
    const chunks = await untranslated(db, set.id, after, CONCURRENT_TRANSLATIONS);
    const last = chunks.at(-1);
    if (!last) return;
    const { ownerId, signal } = request;
    const spender = ownerId === undefined ? undefined : { userId: ownerId };
    await Promise.all(
      chunks.map(async ({ id, content }) => {
        const english = await translator.toEnglish(content, spender, signal);
        const [text] = await analyse([{ terms: termsOf(english), textConfig: "english" }]);
        if (text) await saveTranslation(db, id, english, text);
      }),
    );
    await addTextConfig(db, set.id, "english");
    after = last.index;
  }
}
