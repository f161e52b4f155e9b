import { toFileName } from "../../platform/file-name.ts";
import type { Fetch } from "../../platform/http/call.ts";
import { uuidv7 } from "uuidv7";
import type { Files } from "../../platform/files/files.ts";
import { SAMPLE_BYTES } from "../../platform/files/sniff-type.ts";
import type { User } from "../../platform/http/caller.ts";
import { BadRequest, TooLarge } from "../../platform/http/errors.ts";
import type { UploadedFile } from "../../platform/http/read-upload.ts";
import { MAX_PASSWORD_CHARACTERS } from "../parser/contract-jobs.ts";
import { type FilePasswords } from "../../platform/files/file-passwords.ts";
import type { Access } from "./access.ts";
import { FilePassword } from "./contract-processing.ts";
import type { StoredDocument } from "./contract-stored.ts";
import { detectType } from "./file-type.ts";
import { findFolder } from "./folders.ts";
import { type ProcessingDeps, processDocument } from "./process-document.ts";
import { findByContent, findDocuments, insertDocument, lockOwner, sumSizes } from "./store.ts";

export interface UploadDeps extends ProcessingDeps {
  files: Files;
  passwords: FilePasswords;
  access: Access;
  maxBytes: number;
  quotaBytes: number;
  maxFolders: number;
  /** Calls the embedding service; undefined when there is none. */
  embedding: Fetch | undefined;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Streams a file to storage under a generated key and starts processing it. When the owner has
 * stored the same bytes already, returns that document.
 * @throws NotFound or Forbidden when the user may not write to the folder, TooLarge
 * `file_too_large` or `quota_exceeded`, UnsupportedType.
 */
export async function uploadDocument(
  deps: UploadDeps,
  user: User,
  { name, type, body }: UploadedFile,
  fields: Record<string, string>,
  signal: AbortSignal,
): Promise<StoredDocument & { deduplicated: boolean }> {
  const { db, files, access } = deps;
  const folderId = await checkFolder(deps, user, fields["folderId"]);
  const password = checkPassword(fields["password"]);
  const id = uuidv7();
  const storageKey = `documents/${id}`;
  const { size, sha256 } = await files.write(storageKey, body, { maxBytes: deps.maxBytes, signal });
  try {
    if (size === 0)
      throw new BadRequest("file_empty", "The file is empty. Send a file with content.");
    const fileName = toFileName(name);
    const mimeType = await detectType(
      await files.readStart(storageKey, SAMPLE_BYTES),
      { fileName, type },
      size <= SAMPLE_BYTES,
    );
    const { userId: ownerId, clientId } = user;
    if (password !== undefined) await deps.passwords.keep(id, password);
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
      // checked after the insert: bytes that are stored already take no additional space
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

function checkPassword(password: string | undefined): string | undefined {
  if (!password) return undefined;
  const { data, success } = FilePassword.safeParse(password);
  if (success) return data;
  throw new BadRequest(
    "file_password_invalid",
    `A password has at most ${MAX_PASSWORD_CHARACTERS} characters.`,
  );
}

async function checkFolder(
  { db, access }: UploadDeps,
  user: User,
  folderId: string | undefined,
): Promise<string | null> {
  if (!folderId) return null;
  const folder = UUID.test(folderId) ? await findFolder(db, folderId) : undefined;
  return (await access.require(user, "folder", folder, "editor")).id;
}

function quotaExceeded(bytes: number): TooLarge {
  return new TooLarge(
    "quota_exceeded",
    `With this file your documents would exceed your quota of ${bytes} bytes. Delete some first.`,
  );
}
