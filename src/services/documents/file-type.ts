import { sniffType } from "../../platform/files/sniff-type.ts";
import { UnsupportedType } from "../../platform/http/errors.ts";

const BINARY = new Set([
  "application/pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.oasis.opendocument.text",
  "application/vnd.oasis.opendocument.spreadsheet",
  "application/vnd.oasis.opendocument.presentation",
  "application/epub+zip",
  "application/rtf",
  "text/rtf",
  "application/msword",
  "application/vnd.ms-word.document.macroenabled.12",
  "application/vnd.ms-excel.sheet.macroenabled.12",
  "application/vnd.ms-powerpoint.presentation.macroenabled.12",
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/tiff",
  "image/bmp",
]);

const TEXT = new Set([
  "text/plain",
  "text/markdown",
  "text/csv",
  "text/html",
  "application/json",
  "application/xml",
  "message/rfc822",
]);

/**
 * Office files from before 2007 are one container with different things in it; which of them, the
 * parser finds out for itself.
 */
const COMPOUND = "application/x-cfb";
const COMPOUND_BY_NAME: readonly [ending: string, type: string][] = [
  [".doc", "application/msword"],
  [".xls", "application/vnd.ms-excel"],
  [".ppt", "application/vnd.ms-powerpoint"],
  [".msg", "application/vnd.ms-outlook"],
];

/**
 * What a file is by its bytes; what the client says of it counts for text alone.
 * @throws UnsupportedType `file_type_unsupported`. Source: security row 19.
 */
export async function typeOf(
  sample: Uint8Array,
  fileName: string,
  whole: boolean,
): Promise<string> {
  const type = await sniffType(sample, fileName, whole);
  if (type === COMPOUND)
    return (
      COMPOUND_BY_NAME.find(([ending]) => fileName.toLowerCase().endsWith(ending))?.[1] ?? COMPOUND
    );
  if (type !== undefined && (BINARY.has(type) || TEXT.has(type))) return type;
  throw new UnsupportedType(
    "file_type_unsupported",
    "This kind of file cannot be read. Send PDF, Office, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, e-mail, text or an image.",
  );
}
