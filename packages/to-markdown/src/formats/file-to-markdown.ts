import { FileError } from "../file-error.ts";
import type { ParsedFile } from "../parsed-file.ts";
import { formatOfKind } from "./find-format.ts";
import { unlockFile } from "./encrypted/unlock-file.ts";
import type { ReadOptions } from "./finish-file.ts";
import { damaged, tooComplex, unsupported } from "./refuse-file.ts";
import { kindByName, sniffFileType } from "./sniff-file-type.ts";

export interface FileToMarkdown {
  /** As it was claimed; what the bytes are decides. */
  mimeType?: string | undefined;
  fileName?: string | undefined;
  /** Opens a file that is protected by it. */
  password?: string | undefined;
  options?: Omit<ReadOptions, "signal">;
  signal?: AbortSignal | undefined;
}

/**
 * Whether a file so named and so claimed would be read; its bytes have the last word in
 * `fileToMarkdown`.
 */
export function canRead(mimeType: string, fileName: string): boolean {
  return formatOfKind(kindByName(mimeType, fileName)) !== undefined;
}

/**
 * Office files, books, pages, mail and texts as GitHub-flavoured markdown. Bounded in memory and
 * time whatever the bytes are; no I/O.
 * @throws FileError `file_damaged`, `file_encrypted`, `too_complex`, `file_type_not_supported`.
 */
export async function fileToMarkdown(
  bytes: Uint8Array,
  { mimeType, fileName, password, options = {}, signal }: FileToMarkdown = {},
): Promise<ParsedFile> {
  signal?.throwIfAborted();
  const { kind } = sniffFileType(bytes, fileName, mimeType);
  if (kind === "encrypted") {
    const opened = await unlockFile(bytes, password);
    return fileToMarkdown(opened, { fileName, options, signal });
  }
  const format = formatOfKind(kind);
  if (!format) throw unsupported(`A file of this type (${fileName ?? mimeType ?? kind})`);
  return readGuarded(() => format.read(bytes, { ...options, signal }), signal);
}

/**
 * Whatever a malformed file makes go wrong in its reader is the file's fault, and is said to be.
 */
async function readGuarded(
  read: () => Promise<ParsedFile>,
  signal: AbortSignal | undefined,
): Promise<ParsedFile> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FileError || signal?.aborted) throw error;
    throw error instanceof RangeError
      ? tooComplex("it has more parts than can be held")
      : damaged(error);
  }
}
