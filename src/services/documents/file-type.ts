import {
  formatOfMimeType,
  formatOfName,
} from "@parlance/to-markdown/formats/find-format.ts";
import { type Declared, PICTURES, sniffType } from "../../platform/files/sniff-type.ts";
import { UnsupportedType } from "../../platform/http/errors.ts";

const MORE_TYPES: readonly string[] = ["application/pdf", ...PICTURES];

/**
 * Office files from before 2007 share one container. The name or the sender's type says which of
 * them a file is until the parser has read all of it.
 */
const COMPOUND = "application/x-cfb";

/**
 * The media type of a file by its bytes, and by what its sender says where bytes look alike.
 * @throws UnsupportedType `file_type_unsupported` when no parser reads it
 */
export async function detectType(
  sample: Uint8Array,
  declared: Declared,
  whole: boolean,
): Promise<string> {
  const type = await sniffType(sample, declared, whole);
  if (type === COMPOUND) {
    const formats = [
      formatOfName(declared.fileName),
      formatOfMimeType(declared.type ?? ""),
    ];
    return formats.find((format) => format?.compoundStreams)?.mimeTypes[0] ?? COMPOUND;
  }
  if (type !== undefined && (formatOfMimeType(type) || MORE_TYPES.includes(type)))
    return type;
  throw new UnsupportedType(
    "file_type_unsupported",
    "This file type is not supported. Send PDF, Office, OpenDocument, EPUB, RTF, HTML, Markdown, " +
      "CSV, e-mail, text or an image.",
  );
}
