import { TextDecoder } from "node:util";
import {
  guessEncoding,
  wideEncoding,
  type Decoder,
  decoderNamed,
} from "./guess-encoding.ts";

/** How much of a file shows what it is. */
export const SAMPLE_BYTES = 64 * 1024;

export function decodeText(bytes: Uint8Array, declared?: string): string {
  return readEncoded(bytes, declared).text;
}

/** The same, with a warning where the encoding is a guess or does not fit. */
export function readEncoded(
  bytes: Uint8Array,
  declared?: string,
): { text: string; warnings: string[] } {
  const { decoder, guessed } = decoderFor(bytes, declared);
  const text = decoder.decode(bytes);
  const warnings: string[] = [];
  if (guessed !== undefined)
    warnings.push(
      `The file does not say its encoding, and few of its letters show it: it was read as ${guessed}. If letters are wrong, send it as UTF-8.`,
    );
  const lost = countLost(text);
  if (lost > 0)
    warnings.push(
      `${lost} characters could not be read, because the file mixes encodings or is damaged. Save it as UTF-8.`,
    );
  return { text, warnings };
}

function countLost(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\ufffd"); at >= 0; at = text.indexOf("\ufffd", at + 1))
    count += 1;
  return count;
}

/** The first 64 KB as text. */
export function startOfText(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  // markup and headers are ASCII in every encoding of one byte, so that none is guessed here
  return decoderFor(sample, "windows-1252").decoder.decode(sample);
}

/** Whether bytes are UTF-8 or UTF-16 without control characters that text has not. */
export function isPlainText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  return (isUtf8(sample, true) && !sample.some(isControl)) || isMarkedUtf16(sample);
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
    // programs that crash leave zeros in their logs
    if (code === 0xfffd || isControl(code)) strange += 1;
  }
  // one zero in a short table is no reason either
  const spared = text.length >= 24 ? 1 : 0;
  return strange <= Math.max(spared, text.length / 100);
}

/** @returns also the name of an encoding that is no more than likely. */
function decoderFor(
  bytes: Uint8Array,
  declared: string | undefined,
): { decoder: Decoder; guessed?: string | undefined } {
  const marked = markedEncoding(bytes) ?? wideEncoding(bytes.subarray(0, SAMPLE_BYTES));
  const known = decoderNamed(marked);
  if (known) return { decoder: known };
  if (isMostlyUtf8(bytes) && !hasEscapes(bytes.subarray(0, SAMPLE_BYTES)))
    return { decoder: new TextDecoder("utf-8") };
  const named = /^utf-?(?:8|16|7)/i.test(declared ?? "")
    ? undefined
    : decoderNamed(declared);
  if (named) return { decoder: named };
  const { name, isCertain } = guessEncoding(bytes);
  const decoder = decoderNamed(name) ?? new TextDecoder("windows-1252");
  return { decoder, guessed: isCertain ? undefined : name };
}

/** The encoding that a byte order mark names. */
function markedEncoding([first, second, third, fourth]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe)
    return third === 0 && fourth === 0 ? "utf-32le" : "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const isWide = first === 0 && second === 0 && third === 0xfe && fourth === 0xff;
  return isWide ? "utf-32be" : undefined;
}

/** Whether bytes are valid UTF-8; a sample may end within a character. */
function isUtf8(bytes: Uint8Array, isSample: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isSample });
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether bytes are UTF-8, but for a few that another program may have added in its encoding.
 */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  if (isUtf8(bytes, false)) return true;
  const first = Math.max(
    0,
    bytes.findIndex((byte) => byte >= 0x80),
  );
  const text = new TextDecoder("utf-8").decode(
    bytes.subarray(first, first + 16 * SAMPLE_BYTES),
  );
  const foreign = text.match(/[^\0-\x7f]/g) ?? [];
  const lost = countLost(text);
  return foreign.length - lost >= 10 * lost;
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

/**
 * Decodes a page by its byte order mark, its declaration or its bytes. Source: HTML "determining
 * the character encoding".
 */
export function decodeHtml(bytes: Uint8Array): string {
  const start = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.byteLength, 4_096),
  ).toString("latin1");
  const declared =
    /<meta[^>]{0,300}charset\s*=\s*["']?\s*([\w-]{2,40})/i.exec(start)?.[1] ??
    /^<\?xml[^>]{0,200}encoding\s*=\s*["']([\w-]{2,40})/.exec(start)?.[1];
  // valid UTF-8 is UTF-8, whatever the page declares; a readable declaration of UTF-16 must be
  // wrong
  return decodeText(
    bytes,
    declared && !/^utf-?16/i.test(declared) && decoderNamed(declared)
      ? declared
      : undefined,
  );
}
