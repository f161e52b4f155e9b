import type { ParsedFile } from "./parsed-file.ts";
import { sniffFileType } from "./formats/sniff-file-type.ts";

export { FileError, type FileErrorCode } from "./file-error.ts";
export type {
  AttachedFile,
  PageQuality,
  ParsedFile,
  ParsedImage,
  ParsedTable,
} from "./parsed-file.ts";

export interface ToMarkdownOptions {
  /** Helps where the bytes alone do not tell, as with texts. */
  fileName?: string | undefined;
  /** As the sender claims it; the bytes decide. */
  mimeType?: string | undefined;
  /** Opens a PDF or an Office file that is protected by it. */
  password?: string | undefined;
  /** Return the tables as rows of cells, too. */
  extractTables?: boolean;
  /** Return the pictures as files, too. */
  extractImages?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Reads a document of any supported format. Bounded in memory and time whatever the bytes are, and
 * does no I/O.
 * @throws FileError with a code and a sentence that says what to do.
 */
export async function toMarkdown(
  bytes: Uint8Array,
  {
    fileName,
    mimeType,
    password,
    extractTables = false,
    extractImages = false,
    signal,
  }: ToMarkdownOptions = {},
): Promise<ParsedFile> {
  const extract = { extractTables, extractImages };
  if (sniffFileType(bytes, fileName, mimeType).kind === "pdf") {
    const { pdfToMarkdown } = await import("./pdf/pdf-to-markdown.ts");
    return pdfToMarkdown(bytes, { ...extract, ...(password && { password }) });
  }
  const { fileToMarkdown } = await import("./formats/file-to-markdown.ts");
  return fileToMarkdown(bytes, { fileName, mimeType, password, options: extract, signal });
}
