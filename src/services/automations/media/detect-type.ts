import { sniffFileType } from "@parlance/to-markdown/formats/sniff-file-type.ts";
import { toFileName } from "../../../platform/file-name.ts";
import { BadRequest, UnsupportedType } from "../../../platform/http/errors.ts";

interface Received {
  /** The first `SAMPLE_BYTES`. */
  sample: Uint8Array;
  name: string;
  /** The media type that the sender gives. */
  declared: string | undefined;
  size: number;
}

/** @throws BadRequest `file_empty`; UnsupportedType for files that nothing can read. */
export async function detectType({ sample, name, declared, size }: Received) {
  if (size === 0)
    throw new BadRequest("file_empty", "The file is empty. Send another one.");
  const filename = toFileName(name);
  const { mimeType } = await sniffFileType(sample, filename, declared);
  if (mimeType === "application/octet-stream")
    throw new UnsupportedType(
      "file_type_unsupported",
      "This type of file cannot be read. Send audio, video, an image, a document or text.",
    );
  // vision models read pictures of points, and others read this text
  const isDrawing = mimeType === "image/svg+xml";
  return { filename, mimeType: isDrawing ? "application/xml" : mimeType };
}
