import { formatOfMimeType, formatOfName } from "@parlance/to-markdown/formats/find-format.ts";
import { PICTURES, sniffType } from "../../platform/files/sniff-type.ts";
import { UnsupportedType } from "../../platform/http/errors.ts";

const MORE_TYPES: readonly string[] = ["application/pdf", ...PICTURES];

/**
 * Office files from before 2007 share one container. The name says which of them a file is until the
 * parser has read all of it.
 */
const COMPOUND = "application/x-cfb";

/**
 * The media type of a file by its bytes.
 * @throws UnsupportedType `file_type_unsupported` when no parser reads it
 */
export async function typeOf(
  sample: Uint8Array,
  fileName: string,
  whole: boolean,
): Promise<string> {
  const type = await sniffType(sample, fileName, whole);
  if (type === COMPOUND) {
    const format = formatOfName(fileName);
    return format?.compoundStreams ? format.mimeTypes[0] : COMPOUND;
  }
  if (type !== undefined && (formatOfMimeType(type) || MORE_TYPES.includes(type))) return type;
  throw new UnsupportedType(
    "file_type_unsupported",
    "This kind of file cannot be read. Send PDF, Office, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, e-mail, text or an image.",
  );
}
