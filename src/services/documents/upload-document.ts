import { cutText } from "../../platform/cut-text.ts";
import type { Fetch } from "../../platform/http/call.ts";
import { uuidv7 } from "uuidv7";
import type { Files } from "../../platform/files/files.ts";
import { SAMPLE_BYTES } from "../../platform/files/sniff-type.ts";
import type { User } from "../../platform/http/caller.ts";
import { BadRequest, TooLarge } from "../../platform/http/errors.ts";
import type { UploadedFile } from "../../platform/http/read-upload.ts";
import type { Access } from "./access.ts";
import type { StoredDocument } from "./contract.ts";
import { typeOf } from "./file-type.ts";
import { findFolder } from "./folders.ts";
import { type ProcessingDeps, processDocument } from "./process-document.ts";
import { findByContent, findDocuments, insertDocument, lockOwner, sumSizes } from "./store.ts";

export interface UploadDeps extends ProcessingDeps {
  files: Files;
  access: Access;
  maxBytes: number;
  quotaBytes: number;
  maxFolders: number;
  /** The way to the embedding service; absent where there is none. */
  embedding: Fetch | undefined;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Stores a file as it comes, under a key of our own, and sends it on its way to the index. The same
 * bytes of the same owner are the document that is there already.
 * @throws NotFound for a folder that is not the user's to write to, TooLarge `file_too_large` or
 * `quota_exceeded`, UnsupportedType.
 */
export async function uploadDocument(
  deps: UploadDeps,
  user: User,
  { name, type, body }: UploadedFile,
  given: Record<string, string>,
  signal: AbortSignal,
): Promise<StoredDocument & { deduplicated: boolean }> {
  const { db, files, access } = deps;
  const folderId = await folderOf(deps, user, given["folderId"]);
  const id = uuidv7();
  const storageKey = `documents/${id}`;
  const { size, sha256 } = await files.write(storageKey, body, { maxBytes: deps.maxBytes, signal });
  try {
    if (size === 0) throw new BadRequest("file_empty", "The file is empty.");
    const fileName = safeName(name);
    const mimeType = await typeOf(
      await files.readStart(storageKey, SAMPLE_BYTES),
      { fileName, type },
      size <= SAMPLE_BYTES,
    );
    const { userId: ownerId, clientId } = user;
    const stored = await db.tx(async () => {
      await lockOwner(db, ownerId);
      if (
        !(await insertDocument(db, {
          id,
          ownerId,
          clientId,
          folderId,
          fileName,
          mimeType,
          size,
          sha256,
          storageKey,
        }))
      )
        return false;
      // known bytes take no room, so it is looked at after they were looked for
      if ((await sumSizes(db, ownerId)) > deps.quotaBytes) throw quotaExceeded(deps.quotaBytes);
      await processDocument(deps, {
        id,
        ownerId,
        fileName,
        storageKey,
        markdownKey: null,
        folderId,
      });
      return true;
    });
    if (stored) {
      await access.register("document", id, ownerId, folderId);
      const [document] = await findDocuments(db, [id]);
      if (document) return { ...document, deduplicated: false };
    }
    const before = await findByContent(db, ownerId, sha256);
    if (!before) throw new Error("a document was neither stored nor there before");
    await files.delete(storageKey);
    return { ...before, deduplicated: true };
  } catch (error) {
    const [stored] = await findDocuments(db, [id]).catch(() => []);
    if (!stored) await files.delete(storageKey);
    throw error;
  }
}

async function folderOf(
  { db, access }: UploadDeps,
  user: User,
  folderId: string | undefined,
): Promise<string | null> {
  if (!folderId) return null;
  return (
    await access.reach(
      user,
      "folder",
      UUID.test(folderId) ? await findFolder(db, folderId) : undefined,
      "editor",
    )
  ).id;
}

/** The last part of a path, without control and direction characters: a name for people. */
function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const bare = last
    .replace(/(?!\u200d)\p{C}/gu, "")
    .trim()
    .toWellFormed();
  return cutText(bare, 200) || "file";
}

function quotaExceeded(bytes: number): TooLarge {
  return new TooLarge(
    "quota_exceeded",
    `With this file your documents would take more than the ${bytes} bytes that you may store. Delete some first.`,
  );
}
