import { formatOfMimeType, formatOfName } from "@parlance/to-markdown/formats/find-format.ts";
import { fileTypeFromBuffer } from "file-type";

/** As many bytes as tell a type. */
export const SAMPLE_BYTES = 64 * 1024;

/** Pictures that are read by OCR and vision models. */
export const PICTURES = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/tiff",
  "image/bmp",
] as const;

/** Containers that hold sound as well as moving pictures: their first bytes are alike. */
const SAME_CONTAINER: Record<string, string[]> = {
  "video/mp4": ["audio/mp4", "audio/x-m4a"],
  "video/webm": ["audio/webm"],
  "video/ogg": ["audio/ogg"],
  "application/ogg": ["audio/ogg", "video/ogg"],
};

/** What the sender says of a file. */
export interface Declared {
  fileName: string;
  /** Media type. */
  type?: string | undefined;
}

/**
 * The media type of a file by its first bytes. What its sender says counts where bytes look alike:
 * for kinds of text, and for sound or pictures in one container.
 * @param whole whether the sample is all of it
 * @returns `undefined` when the type is unknown and the bytes are not text
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

/** By its byte order mark, which `file-type` takes for the beginning of MPEG audio. */
function isUtf16(sample: Uint8Array): boolean {
  const little = sample[0] === 0xff && sample[1] === 0xfe;
  const big = sample[0] === 0xfe && sample[1] === 0xff;
  if ((!little && !big) || sample.length % 2 !== 0) return false;
  return !/[\0-\x08\x0e-\x1f\ufffd]/.test(
    new TextDecoder(little ? "utf-16le" : "utf-16be").decode(sample),
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

/** Texts look alike: the type that the sender gives says which kind it is, else the name. */
function textType({ fileName, type = "" }: Declared): string {
  const formats = [formatOfMimeType(type), formatOfName(fileName)];
  return formats.find((format) => format?.isText)?.mimeTypes[0] ?? "text/plain";
}
