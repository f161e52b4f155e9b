import { searchableText } from "../contract-words.ts";
import { checkAttempt } from "./check-attempt.ts";
import type { IndexDeps, IndexRequest } from "./index-request.ts";
import {
  addTextConfig,
  type ChunkSet,
  saveTranslation,
  untranslated,
} from "./sets-store.ts";

const CONCURRENT_TRANSLATIONS = 4;

/** Translates the chunks that are not in English. @throws AttemptOver. */
export async function translateChunks(
  { db, translator }: IndexDeps,
  set: ChunkSet,
  request: IndexRequest,
): Promise<void> {
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
        await saveTranslation(db, id, english, searchableText(english));
      }),
    );
    await addTextConfig(db, set.id, "english");
    after = last.index;
  }
}
