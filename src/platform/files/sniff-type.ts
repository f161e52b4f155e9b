import {
  formatOfMimeType,
  formatOfName,
} from "@parlance/to-markdown/formats/find-format.ts";
import { fileTypeFromBuffer } from "file-type";

/** How many bytes show the type of a file. */
export const SAMPLE_BYTES = 64 * 1024;

/** Images that OCR and vision models read. */
export const PICTURES = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/tiff",
  "image/bmp",
] as const;

/** Containers of audio and video begin with the same bytes. */
const SAME_CONTAINER: Record<string, string[]> = {
  "video/mp4": ["audio/mp4", "audio/x-m4a"],
  "video/webm": ["audio/webm"],
  "video/ogg": ["audio/ogg"],
  "application/ogg": ["audio/ogg", "video/ogg"],
};

/** What the sender declares about a file. */
export interface Declared {
  fileName: string;
  /** Media type. */
  type?: string | undefined;
}

/**
 * Finds the media type of a file by its first bytes. The declared type decides where bytes look
 * alike: between kinds of text, and between audio and video in one container.
 * @param whole whether the sample is the whole file.
 * @returns `undefined` when the type is unknown and the bytes are not text.
 */
export async function sniffType(
  sample: Uint8Array,
  declared: Declared,
  whole: boolean,
): Promise<string | undefined> {
  if (isUtf16(sample)) return textType(declared);
  const known = await fileTypeFromBuffer(sample);
  if (known && known.mime !== "application/xml") {
    const type = declared.type?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    return SAME_CONTAINER[known.mime]?.includes(type) ? type : known.mime;
  }
  return isText(sample, whole) ? textType(declared) : undefined;
}

/** Checks the byte order mark, which `file-type` takes for the start of MPEG audio. */
function isUtf16(sample: Uint8Array): boolean {
  const little = sample[0] === 0xff && sample[1] === 0xfe;
  const big = sample[0] === 0xfe && sample[1] === 0xff;
  if ((!little && !big) || sample.length % 2 !== 0) return false;
  return !/[\0-\x08\x0e-\x1f\ufffd]/.test(
    new TextDecoder(little ? "utf-16le" : "utf-16be").decode(sample),
  );
}

/** UTF-8 without NUL, or an 8-bit encoding without control characters. */
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

/** Kinds of text look alike: the declared type decides, then the name of the file. */
function textType({ fileName, type = "" }: Declared): string {
  const formats = [formatOfMimeType(type), formatOfName(fileName)];
  return formats.find((format) => format?.isText)?.mimeTypes[0] ?? "text/plain";
}
