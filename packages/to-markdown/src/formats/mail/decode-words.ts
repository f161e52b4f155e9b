import { TextDecoder } from "node:util";
import { decoderNamed } from "../guess-encoding.ts";
import { decodeText } from "../decode-text.ts";

interface EncodedWord {
  charset: string;
  bytes: Buffer;
}

const WORD = /=\?([\w-]{1,40})(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]{0,2000})\?=/gi;

/**
 * Decodes the encoded words of a header, and raw bytes by their likely encoding. Some programs
 * divide a character between two words, so that neighbours are decoded as one. Source: RFC 2047.
 */
export function decodeWords(header: string): string {
  const text =
    /[\x80-\xff]/.test(header) && !/[^\x00-\xff]/.test(header)
      ? decodeText(Buffer.from(header, "latin1"))
      : header;
  let decoded = "";
  let at = 0;
  let words: EncodedWord[] = [];
  const flush = () => {
    decoded += words.map(toText).join("");
    words = [];
  };
  for (const {
    0: whole,
    1: charset = "",
    2: kind = "",
    3: content = "",
    index,
  } of text.matchAll(WORD)) {
    const between = text.slice(at, index);
    // white space between two encoded words only separates them
    if (words.length === 0 || between.trim() !== "") {
      flush();
      decoded += between;
    }
    const bytes = bytesOf(kind, content);
    const before = words.at(-1);
    if (before?.charset.toLowerCase() === charset.toLowerCase())
      before.bytes = Buffer.concat([before.bytes, bytes]);
    else words.push({ charset, bytes });
    at = index + whole.length;
  }
  flush();
  return decoded + text.slice(at);
}

function bytesOf(kind: string, content: string): Buffer {
  if (kind.toLowerCase() === "b") return Buffer.from(content, "base64");
  const raw = content
    .replaceAll("_", " ")
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(raw, "latin1");
}

function toText({ charset, bytes }: EncodedWord): string {
  return (decoderNamed(charset) ?? new TextDecoder()).decode(bytes);
}
