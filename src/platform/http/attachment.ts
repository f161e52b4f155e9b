import { cutTextStart } from "../cut-text.ts";
export type FileBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/**
 * A file to keep, never to be shown in place; named safely on every system. Source: RFC 6266, RFC
 * 5987; security row 18.
 */
export function attachment(
  body: FileBody,
  { fileName, mime }: { fileName: string; mime: string },
): Response {
  const file = safeName(fileName);
  return new Response(body, {
    headers: {
      "content-type": mime,
      "content-disposition": `attachment; filename="${file.replace(/[^\x20-\x7e]|["\\]/g, "_")}"; filename*=UTF-8''${encoded(file)}`,
    },
  });
}

/** No path, no control or direction character; at most 200 characters. */
function safeName(name: string): string {
  const safe = name
    .replace(/(?!\u200d)[\p{C}/\\:*?"<>|]/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  return cutTextStart(safe, 200) || "untitled";
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
