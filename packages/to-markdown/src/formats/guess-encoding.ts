import { detectAll } from "jschardet";
import { TextDecoder } from "node:util";
import iconv from "iconv-lite";

/** How much around the first foreign letters is examined. */
const EXAMINED_BYTES = 64 * 1024;

/**
 * The most likely encoding of bytes that are not UTF-8, by the letters of many languages.
 * Of a short text nothing is certain.
 */
export function guessEncoding(bytes: Uint8Array): { name: string; isCertain: boolean } {
  const first = bytes.findIndex((byte) => byte >= 0x80 || byte === 0x1b);
  // foreign letters may begin late, and ASCII before them says nothing
  const from = Math.max(0, first - 64);
  const sample = bytes.subarray(from, from + EXAMINED_BYTES);
  const { high, beside } = countHigh(sample);
  if (high > 0 && high < MOST_FEW && beside === 0 && isWestern(sample))
    return { name: "windows-1252", isCertain: false };
  const candidates = detectAll(sample).slice(0, MOST_CANDIDATES);
  const best =
    candidates.find(({ encoding }) => isLetters(sample, encoding)) ?? candidates[0];
  const { encoding, confidence = 0 } = best ?? {};
  const name = encoding ?? "windows-1252";
  // Windows-1252 extends Latin-1 and is more frequent than its other relatives
  const isLatin = /^(?:ISO-8859-(?:1|9|15)|ascii)$/i.test(name);
  return {
    name: isLatin && name !== "ISO-8859-9" ? "windows-1252" : name,
    isCertain: confidence >= 0.9 || high >= MOST_UNCERTAIN,
  };
}

/** So few letters among ASCII say little about their language. */
const MOST_FEW = 4;
const MOST_UNCERTAIN = 40;
const MOST_CANDIDATES = 8;

/** Whether bytes decode to letters and usual marks, rather than to signs among letters. */
function isLetters(sample: Uint8Array, name: string | null): boolean {
  const text = decoderNamed(name ?? undefined)?.decode(sample.subarray(0, 8_192)) ?? "";
  const foreign = text.match(/[^\0-\x7f]/gu) ?? [];
  const usual = foreign.filter((sign) =>
    /(?![ˆ†‡‰ƒ])[\p{L}\p{M}\p{N}\p{P}\p{Z}€£¥°§№©®™±×½²³\uff00-\uffef]/u.test(sign),
  );
  // no capital follows a small letter, and no dash stands in a word
  const odd = text.match(/\p{Ll}(?:(?![A-Z])\p{Lu}|[—–„“”‚…¡¿«»]\p{Ll})/gu) ?? [];
  return usual.length - odd.length >= foreign.length * 0.9;
}

function countHigh(sample: Uint8Array): { high: number; beside: number } {
  let high = 0;
  let beside = 0;
  for (let index = 0; index < sample.length; index += 1) {
    if ((sample[index] ?? 0) < 0x80) continue;
    high += 1;
    if ((sample[index + 1] ?? 0) >= 0x80) beside += 1;
  }
  return { high, beside };
}

/** Whether bytes are letters and signs of Windows-1252 where such stand. */
function isWestern(sample: Uint8Array): boolean {
  const text = new TextDecoder("windows-1252").decode(sample);
  for (const match of text.matchAll(/[^\0-\x7f]/g)) {
    const [sign] = match;
    const [before = "", after = ""] = [text[match.index - 1], text[match.index + 1]];
    const isInside = /[a-z]/i.test(before) && /[a-z]/i.test(after);
    if (/[\x80-\x9f¡-©«-´¶-¹»-¿×÷]/.test(sign) && isInside) return false;
    if (isInside && /[^\p{L}’]/u.test(sign)) return false;
    // a capital between small letters is one of another encoding
    if (/[a-z]/.test(before) && /\p{Lu}/u.test(sign)) return false;
  }
  return true;
}

/**
 * Detects UTF-16 without a byte order mark: every second byte of Western text is zero, and texts of
 * other scripts have spaces, breaks and digits.
 */
export function wideEncoding(sample: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (sample.length < 4) return undefined;
  const pairs = sample.length >> 1;
  const zero = [0, 0];
  const plain = [0, 0];
  let ascii = 0;
  for (let index = 0; index < pairs * 2; index += 1) {
    const byte = sample[index] ?? 0;
    const side = index & 1;
    if (byte >= 0x20 && byte < 0x7f) ascii += 1;
    if (byte !== 0) continue;
    const other = sample[index ^ 1] ?? 0;
    zero[side] = (zero[side] ?? 0) + 1;
    if (other >= 0x20 ? other < 0x7f : other >= 9 && other <= 13)
      plain[side] = (plain[side] ?? 0) + 1;
  }
  for (const [side, name] of [
    [1, "utf-16le"],
    [0, "utf-16be"],
  ] as const) {
    const [own = 0, rest = 0, signs = 0] = [zero[side], zero[1 - side], plain[side]];
    if (own > pairs * 0.4 && rest < pairs * 0.05) return name;
    if (
      signs > pairs * 0.02 &&
      rest <= pairs * 0.002 &&
      ascii < pairs &&
      isWords(sample, name)
    )
      return name;
  }
  return (["utf-16le", "utf-16be"] as const).find((name) => isWideHan(sample, name));
}

/**
 * Whether bytes are Chinese or Japanese in UTF-16: nearly each character is of the few blocks of
 * these scripts. The first bytes of Shift-JIS lie there, too, but all of them above 0x80.
 */
function isWideHan(sample: Uint8Array, name: "utf-16le" | "utf-16be"): boolean {
  const pairs = sample.length >> 1;
  if (pairs < 8) return false;
  const side = name === "utf-16le" ? 1 : 0;
  let [han, low, other] = [0, 0, 0];
  for (let index = side; index < pairs * 2; index += 2) {
    const block = sample[index] ?? 0;
    if (block >= 0x4e && block <= 0x9f) han += 1;
    else if (block !== 0x30 && block !== 0xff && block !== 0) other += 1;
    if (block < 0x80) low += 1;
  }
  if (other > pairs * 0.02 || han < pairs * 0.3 || low < pairs * 0.4) return false;
  // ASCII alone has all of its bytes there
  const high = sample.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0);
  return high > pairs * 0.3 && isWords(sample, name);
}

/** Whether bytes are words in an encoding. */
function isWords(sample: Uint8Array, name: string): boolean {
  const text = new TextDecoder(name).decode(sample.subarray(0, 4_096));
  const strange = text.match(/[^\p{L}\p{M}\p{N}\p{P}\p{Z}\p{S}\t\n\r\f]/gu) ?? [];
  return text.length > 0 && strange.length <= text.length / 100;
}

export interface Decoder {
  decode(bytes: Uint8Array): string;
}

/** Decodes an encoding of the web, or one of older systems: `cp850`, `utf-32`. */
export function decoderNamed(name: string | undefined): Decoder | undefined {
  if (!name) return undefined;
  try {
    return new TextDecoder(name);
  } catch {
    const known = name.replace(/^(?:ibm|windows)-?(?=\d{3}$)/i, "cp");
    if (!iconv.encodingExists(known)) return undefined; // a name that no one knows says nothing
    return {
      decode: (bytes) =>
        iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), known),
    };
  }
}
