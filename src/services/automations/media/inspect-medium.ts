import { MeasuredBytes } from "../../../platform/files/measure-bytes.ts";
import { SAMPLE_BYTES } from "@parlance/to-markdown/formats/decode-text.ts";
import type { UploadedFile } from "../../../platform/http/read-upload.ts";
import { detectType } from "./detect-type.ts";

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
