import { fileTypeFromBuffer } from "file-type";

/** As many bytes as tell a type. */
export const SAMPLE_BYTES = 64 * 1024;

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

/**
 * What a file is by its first bytes; its name counts for text alone. `undefined`: unknown, and not text.
 * @param whole whether the sample is all of it. Source: security row 19.
 */
export async function sniffType(
  sample: Uint8Array,
  fileName: string,
  whole: boolean,
): Promise<string | undefined> {
  if (isUtf16(sample)) return TEXT[extensionOf(fileName)] ?? "text/plain";
  const known = await fileTypeFromBuffer(sample);
  if (known && known.mime !== "application/xml") return known.mime;
  return isText(sample, whole) ? (TEXT[extensionOf(fileName)] ?? "text/plain") : undefined;
}

/** By its mark, which others take for the beginning of a sound: half of its bytes are zeros. */
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

function extensionOf(name: string): string {
  return /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
}
