import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import {
  type ConversationFile,
  keepFiles,
  releaseKeys,
  reserveKeys,
} from "../code/stored-files.ts";

export interface MadeImage {
  mediaType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface KeepDeps {
  db: Database;
  files: Files;
  /** Of the files of all conversations of an owner. */
  maxBytes: number;
}

const MAX_NAME_CHARACTERS = 60;

/** Keeps images as files of a conversation. @throws TooLarge `code_files_quota`. */
export async function keepImages(
  { db, files, maxBytes }: KeepDeps,
  conversationId: string,
  images: readonly MadeImage[],
  title: string,
): Promise<ConversationFile[]> {
  const prefix = await reserveKeys(db);
  try {
    const written = [];
    for (const [at, { bytes, mediaType }] of images.entries()) {
      const key = `${prefix}/${at}`;
      const stored = await files.write(key, once(bytes), { maxBytes: bytes.byteLength });
      written.push({ ...stored, key, mediaType, name: nameOf(title, at, mediaType) });
    }
    return await keepFiles(db, { conversationId, prefix, maxBytes }, written);
  } catch (error) {
    await releaseKeys(db, prefix);
    throw error;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** In the words of whoever asked, which find it again. */
function nameOf(title: string, at: number, mediaType: string): string {
  const words = title
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join("-")
    .slice(0, MAX_NAME_CHARACTERS);
  const number = at === 0 ? "" : `-${at + 1}`;
  return `${words || "image"}${number}.${mediaType.slice("image/".length)}`;
}
