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
  /** Helps where the bytes do not show the type, as with texts. */
  fileName?: string | undefined;
  /** As the sender declares it; the bytes take precedence. */
  mimeType?: string | undefined;
  /** Opens a protected PDF or Office file. */
  password?: string | undefined;
  /** Also return the tables as rows of cells. */
  extractTables?: boolean;
  /** Also return the pictures as files. */
  extractImages?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Reads a document of any supported format. Limited in memory and time for any bytes; no I/O.
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
  const { kind } = await sniffFileType(bytes, fileName, mimeType);
  if (kind === "pdf") {
    const { pdfToMarkdown } = await import("./pdf/pdf-to-markdown.ts");
    return pdfToMarkdown(bytes, { ...extract, ...(password && { password }) });
  }
  const { fileToMarkdown } = await import("./formats/file-to-markdown.ts");
  return fileToMarkdown(bytes, { fileName, mimeType, password, options: extract, signal });
}
