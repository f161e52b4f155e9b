import { TextDecoder } from "node:util";
import { analyse } from "chardet";

/** How much of a file shows what it is. */
export const SAMPLE_BYTES = 64 * 1024;

/**
 * Decodes bytes by their byte order mark, as UTF-8 when they are valid, else by the declared or the
 * most likely encoding. Never throws.
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  return decoderFor(bytes, declared).decode(bytes);
}

/** The first 64 KB as text. */
export function startOfText(bytes: Uint8Array): string {
  return decodeText(bytes.subarray(0, SAMPLE_BYTES));
}

/** Whether bytes are UTF-8 or UTF-16 without control characters that text has not. */
export function isPlainText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  return (isUtf8(sample) && !sample.some(isControl)) || isMarkedUtf16(sample);
}

/** Of the control characters, text has the tab, the line and page feeds, and the escape. */
function isControl(code: number): boolean {
  if (code === 127) return true;
  return code < 32 && !(code >= 9 && code <= 13 && code !== 11) && code !== 27;
}

/** Whether bytes are UTF-16 with a mark of its byte order, and text. */
function isMarkedUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  const isMarked =
    (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked && bytes.length % 2 === 0 && looksLikeText(bytes);
}

/**
 * Whether bytes are text in some encoding: once decoded, they contain only the control characters
 * that text has.
 */
export function looksLikeText(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return true;
  const text = startOfText(bytes);
  let strange = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0) return false;
    if (code === 0xfffd || isControl(code)) strange += 1;
  }
  return strange <= text.length / 100;
}

function decoderFor(bytes: Uint8Array, declared: string | undefined): TextDecoder {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder("utf-8");
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le");
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be");
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const wide = wideEncoding(sample);
  if (wide) return new TextDecoder(wide);
  if (isUtf8(sample) && !hasEscapes(sample))
    return isUtf8(bytes)
      ? new TextDecoder("utf-8")
      : (decoderNamed(declared) ?? new TextDecoder("utf-8"));
  return (
    decoderNamed(declared) ??
    decoderNamed(likelyEncoding(sample)) ??
    new TextDecoder("windows-1252")
  );
}

export function decoderNamed(name: string | undefined): TextDecoder | undefined {
  if (!name) return undefined;
  try {
    return new TextDecoder(name);
  } catch {
    return undefined; // a name that no one knows says nothing
  }
}

/** Detects UTF-16 without a byte order mark: every second byte of Western text is zero. */
function wideEncoding(sample: Uint8Array): string | undefined {
  if (sample.length < 4) return undefined;
  let even = 0;
  let odd = 0;
  const pairs = sample.length >> 1;
  for (let index = 0; index < pairs * 2; index += 2) {
    if (sample[index] === 0) even += 1;
    if (sample[index + 1] === 0) odd += 1;
  }
  if (odd > pairs * 0.4 && even < pairs * 0.05) return "utf-16le";
  return even > pairs * 0.4 && odd < pairs * 0.05 ? "utf-16be" : undefined;
}

/** Whether bytes are valid UTF-8, apart from a character that the end of the sample cuts. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Whether bytes may be ISO-2022-JP, which is plain ASCII except for its escape sequences. */
function hasEscapes(sample: Uint8Array): boolean {
  for (
    let index = sample.indexOf(0x1b);
    index >= 0;
    index = sample.indexOf(0x1b, index + 1)
  ) {
    if (sample[index + 1] === 0x24 || sample[index + 1] === 0x28) return true;
  }
  return false;
}

function likelyEncoding(sample: Uint8Array): string | undefined {
  const candidates = analyse(sample);
  const [best] = candidates;
  if (!best) return undefined;
  // detection of a short text is uncertain: Western letters occur among ASCII, letters of other
  // scripts next to each other
  if (best.confidence < 40)
    return inRows(sample)
      ? candidates.find(({ name }) => !LATIN.test(name) && isPlausible(sample, name))?.name
      : undefined;
  // Windows-1252 extends Latin-1, and similar encodings are rarer than detection assumes
  return /^ISO-8859-(?:1|9|15)$/.test(best.name) ? "windows-1252" : best.name;
}

const LATIN = /^(?:ISO-8859-(?:1|2|9|15)|windows-125[0247]|ASCII|UTF)/;

function inRows(sample: Uint8Array): boolean {
  let high = 0;
  let beside = 0;
  for (let index = 0; index < sample.length; index += 1) {
    if ((sample[index] ?? 0) < 0x80) continue;
    high += 1;
    if ((sample[index + 1] ?? 0) >= 0x80 || (sample[index - 1] ?? 0) >= 0x80) beside += 1;
  }
  return beside > high * 0.4;
}

/** Whether bytes decode to letters, rather than to signs and control characters. */
function isPlausible(sample: Uint8Array, name: string): boolean {
  try {
    const text = new TextDecoder(name, { fatal: true }).decode(sample, { stream: true });
    const foreign = text.match(/[^\0-\x7f]/gu) ?? [];
    return (
      foreign.filter((character) =>
        /[\p{L}\p{Pd}\u3000-\u303f\uff00-\uffef]/u.test(character),
      ).length >=
      foreign.length * 0.9
    );
  } catch {
    return false; // an encoding that is not known here, or is not this one
  }
}
