import { TextDecoder } from "node:util";
import { decoderNamed } from "../decoder-named.ts";
import { decodeText } from "../decode-text.ts";

/**
 * Decodes the encoded words of a header, and raw bytes by their likely encoding. Source: RFC 2047.
 */
export function decodeWords(header: string): string {
  const bytes =
    /[\x80-\xff]/.test(header) && !/[^\x00-\xff]/.test(header)
      ? decodeText(Buffer.from(header, "latin1"))
      : header;
  // white space between two encoded words only separates them
  return bytes
    .replace(/(\?=)[ \t\r\n]{1,100}(?==\?)/g, "$1")
    .replace(
      /=\?([\w-]{1,40})(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]{0,2000})\?=/gi,
      (whole, charset: string, kind: string, text: string) => {
        const decoder = decoderNamed(charset) ?? new TextDecoder();
        if (kind.toLowerCase() === "b") return decoder.decode(Buffer.from(text, "base64"));
        const raw = text
          .replaceAll("_", " ")
          .replace(/=([\da-f]{2})/gi, (_, hex: string) =>
            String.fromCharCode(parseInt(hex, 16)),
          );
        return raw === "" ? "" : decoder.decode(Buffer.from(raw, "latin1")) || whole;
      },
    );
}
