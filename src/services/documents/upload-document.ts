import { READABLE_FORMATS } from "@parlance/to-markdown/formats/refuse-file.ts";
import { SAMPLE_BYTES } from "@parlance/to-markdown/formats/decode-text.ts";
import type { Cache } from "../../platform/cache/cache.ts";
import { toFileName } from "../../platform/file-name.ts";
import type { Fetch } from "../../platform/http/call.ts";
import { uuidv7 } from "uuidv7";
import type { Files } from "../../platform/files/files.ts";
import type { User } from "../../platform/http/caller.ts";
import {
  BadRequest,
  Conflict,
  TooLarge,
  UnsupportedType,
} from "../../platform/http/errors.ts";
import type { UploadedFile } from "../../platform/http/read-upload.ts";
import { isUuid } from "../../platform/uuid.ts";
import { MAX_PASSWORD_CHARACTERS } from "../parser/contract-jobs.ts";
import type { FilePasswords } from "../../platform/files/file-passwords.ts";
import { type Access } from "./access.ts";
import { documentNotFound } from "./contract-not-found.ts";
import { FilePassword } from "./contract-processing.ts";
import type { StoredDocument } from "./contract-stored.ts";
import { UPLOADED_AS } from "./contract.ts";
import { findFolder } from "./folders.ts";
import { type ProcessingDeps, processDocument } from "./process-document.ts";
import {
  ATTACHMENT,
  findByContent,
  findDocuments,
  findStorageKey,
  findUsedKeys,
  insertDocument,
  isSeenOnly,
  lockOwner,
  measureUse,
  type NewDocument,
} from "./store.ts";
import { formatOfKind } from "@parlance/to-markdown/formats/find-format.ts";
import { sniffFileType } from "@parlance/to-markdown/formats/sniff-file-type.ts";
import { PICTURES } from "../parser/contract.ts";

export interface UploadDeps extends ProcessingDeps {
  files: Files;
  passwords: FilePasswords;
  access: Access;
  maxBytes: number;
  maxDocuments: number;
  quotaBytes: number;
  maxFolders: number;
  /** Calls the embedding service; undefined when there is none. */
  embedding: Fetch | undefined;
  /** Draws pages; undefined when there is none. */
  parser: Fetch | undefined;
  cache: Cache;
}

/**
 * Streams a file to storage under a generated key and starts processing it. When the folder
 * has the same bytes of the owner already, returns that document; without a folder, when the owner
 * has them anywhere.
 * @param readPurpose of a file of OpenAI's API, called when the whole upload is there. Its client
 *   deletes it when it is done with it, so it never is a document that was there before.
 * @throws NotFound or Forbidden when the user may not write to the folder, TooLarge
 * `file_too_large` or `quota_exceeded`, Conflict `too_many_documents`, UnsupportedType.
 */
export async function uploadDocument(
  deps: UploadDeps,
  user: User,
  { name, type, body }: UploadedFile,
  fields: Record<string, string>,
  signal: AbortSignal,
  readPurpose?: () => string,
): Promise<StoredDocument & { deduplicated: boolean }> {
  const { db, files, access } = deps;
  const isAttachment = checkAs(fields);
  const folderId = await checkFolder(deps, user, fields["folderId"]);
  const password = checkPassword(fields["password"]);
  const id = uuidv7();
  const storageKey = `documents/${id}`;
  const { size, sha256 } = await files.write(storageKey, body, {
    maxBytes: deps.maxBytes,
    signal,
  });
  try {
    const purpose = readPurpose?.() ?? (isAttachment ? ATTACHMENT : null);
    if (size === 0)
      throw new BadRequest("file_empty", "The file is empty. Send a file with content.");
    const fileName = toFileName(name);
    const mimeType = await detectType(await files.readStart(storageKey, SAMPLE_BYTES), {
      fileName,
      type,
    });
    const { userId: ownerId, clientId } = user;
    if (password !== undefined) await deps.passwords.keep(id, password, ownerId);
    const document = { id, ownerId, clientId, folderId, fileName, mimeType, size, sha256 };
    const { before, key } = await db.tx(() =>
      storeOnce(deps, { ...document, storageKey, purpose }),
    );
    if (key !== storageKey) await files.delete(storageKey);
    if (before) return { ...before, deduplicated: true };
    await access.register("document", id, ownerId, folderId);
    const [stored] = await findDocuments(db, [id]);
    if (!stored) throw documentNotFound();
    return { ...stored, deduplicated: false };
  } catch (error) {
    // A file that nobody needs costs space; one that a document needs must never be deleted.
    const used = await findUsedKeys(db, [storageKey]).catch(() => undefined);
    if (used && !used.has(storageKey)) await files.delete(storageKey);
    throw error;
  }
}

/**
 * Stores a document and starts its processing, unless the folder, or without one the owner, has
 * the same bytes already. It shares the file of a document of the owner with the same bytes.
 * @returns the key of the file that is used, and the document that was there before.
 */
async function storeOnce(
  deps: UploadDeps,
  document: NewDocument,
): Promise<{ key: string | undefined; before?: StoredDocument }> {
  const { db, maxDocuments, quotaBytes } = deps;
  await lockOwner(db, document.ownerId);
  const before = mayBeKnown(document) ? await findByContent(db, document) : undefined;
  if (before) return { key: undefined, before };
  const storageKey = (await findStorageKey(db, document)) ?? document.storageKey;
  const stored = { ...document, storageKey };
  await insertDocument(db, stored);
  // checked after the insert: bytes that are stored already take no additional space
  const { bytes, documents } = await measureUse(db, document.ownerId);
  if (documents > maxDocuments) throw tooManyDocuments(maxDocuments);
  if (bytes > quotaBytes) throw quotaExceeded(quotaBytes);
  if (!isSeenOnly(document)) await processDocument(deps, { ...stored, markdownKey: null });
  return { key: storageKey };
}

/**
 * A file of OpenAI's API never is a document that was there before. An attachment may be: it was
 * read already; but not a picture, of which there was nothing to read.
 */
function mayBeKnown(document: NewDocument): boolean {
  const { purpose } = document;
  return purpose === null || (purpose === ATTACHMENT && !isSeenOnly(document));
}

function checkPassword(password: string | undefined): string | undefined {
  if (!password) return undefined;
  const { data, success } = FilePassword.safeParse(password);
  if (success) return data;
  throw new BadRequest(
    "file_password_invalid",
    `A password has at most ${MAX_PASSWORD_CHARACTERS} characters. Send a shorter one.`,
    { params: { max: MAX_PASSWORD_CHARACTERS } },
  );
}

/** @returns whether the file becomes an attachment. */
function checkAs({ as, folderId }: Readonly<Record<string, string>>): boolean {
  if (!as || as === "document") return false;
  if (as === ATTACHMENT && !folderId) return true;
  throw new BadRequest(
    "upload_as_invalid",
    folderId
      ? "An attachment lies in no folder. Leave out folderId, or upload a document."
      : `The field "as" is one of ${UPLOADED_AS.join(", ")}. Send one of them, or leave it out.`,
  );
}

async function checkFolder(
  { db, access }: UploadDeps,
  user: User,
  folderId: string | undefined,
): Promise<string | null> {
  if (!folderId) return null;
  const folder = isUuid(folderId) ? await findFolder(db, folderId) : undefined;
  return (await access.require(user, "folder", folder, "editor")).id;
}

function tooManyDocuments(max: number): Conflict {
  return new Conflict(
    "too_many_documents",
    `You have ${max} documents, the most that one may have. Delete some first.`,
    { params: { max } },
  );
}

function quotaExceeded(bytes: number): TooLarge {
  return new TooLarge(
    "quota_exceeded",
    `With this file your documents would exceed your quota of ${bytes} bytes. Delete some first.`,
    { params: { maxBytes: bytes } },
  );
}

/**
 * The media type of a file by its first bytes, and by what its sender says where bytes look alike.
 * @throws UnsupportedType `file_type_unsupported` when no parser reads it
 */
async function detectType(
  sample: Uint8Array,
  { fileName, type }: { fileName: string; type?: string | undefined },
): Promise<string> {
  const { kind, mimeType } = await sniffFileType(sample, fileName, type);
  if (kind === "pdf" || kind === "encrypted" || PICTURES.includes(mimeType))
    return mimeType;
  const format = formatOfKind(kind);
  if (format) return format.mimeTypes[0];
  throw new UnsupportedType(
    "file_type_unsupported",
    `This file type is not supported. Send an image, ${READABLE_FORMATS}.`,
  );
}
