import { decoderNamed } from "./decoder-named.ts";
import { decodeText } from "./decode-text.ts";

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
