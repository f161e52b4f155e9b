import { MeasuredBytes } from "../../../platform/files/measure-bytes.ts";
import { SAMPLE_BYTES } from "@parlance/to-markdown/formats/decode-text.ts";
import type { UploadedFile } from "../../../platform/http/read-upload.ts";
import { sniffFileType } from "@parlance/to-markdown/formats/sniff-file-type.ts";
import { toFileName } from "../../../platform/file-name.ts";
import { BadRequest, UnsupportedType } from "../../../platform/http/errors.ts";

/**
 * The type that a file would have as a medium. Keeps the start of the file while it arrives, and
 * nothing afterwards.
 * @throws TooLarge; BadRequest `file_empty`; UnsupportedType.
 */
export async function inspectMedium(
  { name, type: declared, body }: UploadedFile,
  maxBytes: number,
  signal: AbortSignal,
) {
  const measured = new MeasuredBytes(body, { maxBytes, signal });
  const start: Uint8Array[] = [];
  let kept = 0;
  for await (const chunk of measured) {
    const missing = SAMPLE_BYTES - kept;
    if (missing <= 0) continue;
    start.push(chunk.slice(0, missing));
    kept += Math.min(missing, chunk.byteLength);
  }
  const { size } = measured.end();
  const sample = Buffer.concat(start);
  return { ...(await detectType({ sample, name, declared, size })), size };
}

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
