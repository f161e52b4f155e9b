import type { Fetch } from "../../../platform/http/call.ts";
import { BadRequest, NotFound } from "../../../platform/http/errors.ts";
import type { Files } from "../../../platform/files/files.ts";
import { documentsContract } from "../../documents/contract.ts";
import { MAX_FILES_BYTES } from "../../completion/contract-media.ts";
import { type FolderDeps, listFolder } from "../code/folder.ts";
import { readDocumentBytes } from "../given-files/read-document.ts";

export interface ReadDeps extends FolderDeps {
  files: Files;
  /** Absent when no documents service has an address here. */
  documents: Fetch | undefined;
}

export interface PictureOfFolder {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
  /** Of an attached one. */
  documentId?: string;
}

const PICTURE = /^image\/(?:png|jpeg|webp)$/;
const MAX_NAMED = 20;

/**
 * Reads pictures that code or a model made in a conversation, or that are attached to it.
 * @throws NotFound `conversation_file_unknown`, BadRequest `image_not_editable`,
 * `images_too_large`.
 */
export async function readPictures(
  deps: ReadDeps,
  { userId, conversationId }: { userId: string; conversationId: string },
  names: readonly string[],
  signal: AbortSignal,
): Promise<PictureOfFolder[]> {
  const listed = await listFolder(deps, userId, conversationId);
  const pictures = listed.filter(({ mediaType }) => PICTURE.test(mediaType));
  const asked = names.map((name) => {
    const file = listed.find((one) => one.name === name);
    if (!file) throw unknownFile(name, pictures);
    if (!pictures.includes(file)) throw noPicture(name);
    return file;
  });
  if (asked.reduce((sum, { size }) => sum + size, 0) > MAX_FILES_BYTES) throw tooLarge();
  const read: PictureOfFolder[] = [];
  for (const { id, name, mediaType, size, from } of asked) {
    if (from.kind === "stored") {
      read.push({ name, mediaType, bytes: await deps.files.readStart(from.key, size) });
      continue;
    }
    if (!deps.documents) throw unknownFile(name, pictures);
    const document = { id: from.id, fileName: name };
    const { path } = documentsContract.content;
    const asked = { path, document, most: MAX_FILES_BYTES };
    const bytes = await readDocumentBytes(deps.documents, asked, signal);
    read.push({ name, mediaType, bytes, documentId: id });
  }
  return read;
}

function unknownFile(name: string, pictures: readonly { name: string }[]): NotFound {
  const others = pictures.slice(0, MAX_NAMED).map((one) => one.name);
  return new NotFound(
    "conversation_file_unknown",
    `There is no file "${name}" in the conversation. Name one of its images: ${others.join(", ") || "there are none"}.`,
    { params: { name } },
  );
}

function noPicture(name: string): BadRequest {
  return new BadRequest(
    "image_not_editable",
    `"${name}" is no PNG, JPEG or WebP. Name an image of the conversation.`,
    { params: { name } },
  );
}

function tooLarge(): BadRequest {
  return new BadRequest(
    "images_too_large",
    `The images have more than ${MAX_FILES_BYTES} bytes together. Name fewer of them.`,
    { params: { maxBytes: MAX_FILES_BYTES } },
  );
}
