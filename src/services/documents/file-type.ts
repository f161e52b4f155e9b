import { formatOfKind } from "@parlance/to-markdown/formats/find-format.ts";
import { sniffFileType } from "@parlance/to-markdown/formats/sniff-file-type.ts";
import { UnsupportedType } from "../../platform/http/errors.ts";
import { PICTURES } from "../parser/contract-formats.ts";

/**
 * The media type of a file by its first bytes, and by what its sender says where bytes look alike.
 * @throws UnsupportedType `file_type_unsupported` when no parser reads it
 */
export async function detectType(
  sample: Uint8Array,
  { fileName, type }: { fileName: string; type?: string | undefined },
): Promise<string> {
  const { kind, mimeType } = await sniffFileType(sample, fileName, type);
  if (kind === "pdf" || kind === "encrypted" || PICTURES.includes(mimeType))
    return mimeType;
  const format = formatOfKind(kind);
  if (format) return format.mimeTypes[0];
  throw new UnsupportedType(
    "file_type_unsupported",
    "This file type is not supported. Send PDF, Office, OpenDocument, EPUB, RTF, HTML, Markdown, " +
      "CSV, e-mail, text or an image.",
  );
}
