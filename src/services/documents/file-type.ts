import { fileTypeFromBuffer } from "file-type";
import { UnsupportedType } from "../../platform/http/errors.ts";

/** As many bytes as tell a type. */
export const SAMPLE_BYTES = 64 * 1024;

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
  "application/x-cfb",
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/tiff",
  "image/bmp",
]);

/** Text has no mark of its own: its name says which kind it is. */
const TEXT: Record<string, string> = {
  md: "text/markdown",
  markdown: "text/markdown",
  csv: "text/csv",
  html: "text/html",
  htm: "text/html",
  json: "application/json",
  xml: "application/xml",
  eml: "message/rfc822",
};

/** What a file is by its bytes; what the client says of it counts for text alone. @throws UnsupportedType `file_type_unsupported`. Source: security row 19. */
export async function typeOf(sample: Uint8Array, fileName: string, whole: boolean): Promise<string> {
  const known = await fileTypeFromBuffer(sample);
  if (known && BINARY.has(known.mime)) return known.mime;
  if ((!known || known.mime === "application/xml") && isText(sample, whole)) return TEXT[extensionOf(fileName)] ?? "text/plain";
  throw new UnsupportedType(
    "file_type_unsupported",
    "This kind of file cannot be read. Send PDF, Office, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, e-mail, text or an image.",
  );
}

/** Without NUL, and UTF-8 or at least without other control characters (an old 8-bit encoding). */
function isText(sample: Uint8Array, whole: boolean): boolean {
  if (sample.includes(0)) return false;
  try {
    // a sample may end in the middle of a character
    new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: !whole });
    return true;
  } catch {
    return !sample.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
  }
}

function extensionOf(name: string): string {
  return /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
}
