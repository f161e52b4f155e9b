import { toFileName } from "../../platform/file-name.ts";
import { BadRequest } from "../../platform/http/errors.ts";
import { MAX_PASSWORD_CHARACTERS } from "./contract-jobs.ts";
import type { LocalFile, LocalFiles } from "./local-files.ts";
import { uploadedBytes } from "../../platform/http/read-body.ts";
import { readUpload, type UploadedFile } from "../../platform/http/read-upload.ts";

/**
 * Passes the file of a request to `store` as it arrives: multipart/form-data, or bare bytes named
 * by X-Original-Filename.
 * @throws BadRequest `file_name_required` or `file_empty`, what `readUpload` and `store` throw.
 */
export async function receiveFile<Stored extends { size: number }>(
  request: Request,
  store: (file: UploadedFile) => Promise<Stored>,
): Promise<{ fileName: string; stored: Stored }> {
  const named = request.headers.get("x-original-filename");
  if (/^multipart\//i.test(request.headers.get("content-type") ?? "")) {
    const { stored } = await readUpload(request, async (file) => ({
      fileName: nameOf(named) ?? toFileName(file.name),
      stored: await store(file),
    }));
    return notEmpty(stored);
  }
  const fileName = nameOf(named);
  if (fileName === undefined)
    throw new BadRequest(
      "file_name_required",
      "Name the file in the header X-Original-Filename, with its extension; percent-encode what is not ASCII.",
    );
  if (!request.body)
    throw new BadRequest("file_empty", "The file is empty. Send a file with content.");
  return notEmpty({
    fileName,
    stored: await store({ name: fileName, body: uploadedBytes(request) }),
  });
}

/** Stores the file on this machine's disk. Nothing stays of a refused file. */
export async function receiveLocalFile(
  request: Request,
  local: LocalFiles,
  options: { maxBytes: number; signal: AbortSignal },
): Promise<{ fileName: string; stored: LocalFile }> {
  let taken: LocalFile | undefined;
  try {
    return await receiveFile(
      request,
      async ({ body }) => (taken = await local.take(body, options)),
    );
  } catch (error) {
    await taken?.[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Returns the password in the header X-File-Password, percent-encoded.
 * @throws BadRequest `file_password_invalid`
 */
export function passwordOf({ headers }: Request): string | undefined {
  const header = headers.get("x-file-password");
  if (header === null || header === "") return undefined;
  const password = decode(header);
  if (password === undefined || password.length > MAX_PASSWORD_CHARACTERS)
    throw new BadRequest(
      "file_password_invalid",
      `Percent-encode X-File-Password, and send at most ${MAX_PASSWORD_CHARACTERS} characters.`,
    );
  return password;
}

function notEmpty<Received extends { stored: { size: number } }>(
  received: Received,
): Received {
  if (received.stored.size === 0)
    throw new BadRequest("file_empty", "The file is empty. Send a file with content.");
  return received;
}

function nameOf(header: string | null): string | undefined {
  if (header === null || header.trim() === "") return undefined;
  // a name may have a per cent sign that is not an encoding
  return toFileName(decode(header) ?? header);
}

function decode(header: string): string | undefined {
  try {
    return decodeURIComponent(header);
  } catch {
    return undefined;
  }
}
