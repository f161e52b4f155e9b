import { FileError } from "../file-error.ts";
import type { ParsedFile } from "../parsed-file.ts";
import { paragraph } from "./blocks.ts";
import { decodeText } from "./decode-text.ts";
import { formatOfKind } from "./find-format.ts";
import { unlockFile } from "./encrypted/unlock-file.ts";
import type { ReadOptions } from "./finish-file.ts";
import { damaged, tooComplex, unsupported } from "./refuse-file.ts";
import { kindByName, sniffFileType } from "./sniff-file-type.ts";

export interface FileToMarkdown {
  /** As the sender declares it; the bytes take precedence. */
  mimeType?: string | undefined;
  fileName?: string | undefined;
  /** Opens a protected file. */
  password?: string | undefined;
  options?: Omit<ReadOptions, "signal" | "readPart">;
  signal?: AbortSignal | undefined;
}

/**
 * Whether a file with this name and declared type can be read. `fileToMarkdown` decides finally, by
 * the bytes.
 */
export function canRead(mimeType: string, fileName: string): boolean {
  return formatOfKind(kindByName(mimeType, fileName)) !== undefined;
}

/**
 * Converts Office files, books, web pages, mail and texts to GitHub-flavoured Markdown. Limited in
 * memory and time for any bytes; no I/O.
 * @throws FileError `file_damaged`, `file_encrypted`, `too_complex`, `file_type_not_supported`.
 */
export async function fileToMarkdown(
  bytes: Uint8Array,
  { mimeType, fileName, password, options = {}, signal }: FileToMarkdown = {},
): Promise<ParsedFile> {
  signal?.throwIfAborted();
  const { kind } = await sniffFileType(bytes, fileName, mimeType);
  if (kind === "encrypted") {
    const opened = await unlockFile(bytes, password);
    return fileToMarkdown(opened, { fileName, options, signal });
  }
  const format = formatOfKind(kind);
  if (!format) throw unsupported(`A file of this type (${fileName ?? mimeType ?? kind})`);
  return readGuarded(
    () => format.read(bytes, { ...options, signal, readPart: partReader(signal, 1) }),
    signal,
  );
}

/** Documents inside of documents are read to this depth. */
const MAX_PART_DEPTH = 3;

function partReader(
  signal: AbortSignal | undefined,
  depth: number,
): NonNullable<ReadOptions["readPart"]> {
  return async (bytes, name) => {
    const { kind } = await sniffFileType(bytes, name);
    if (kind === "text") return [paragraph([{ text: decodeText(bytes) }])];
    const content = formatOfKind(kind)?.read.content;
    if (!content || depth > MAX_PART_DEPTH) return undefined;
    const readPart = partReader(signal, depth + 1);
    return (await content(bytes, { signal, readPart })).blocks;
  };
}

/** Reports any error of a reader as `file_damaged`: a malformed file caused it. */
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
