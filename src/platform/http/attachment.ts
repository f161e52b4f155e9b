import { toPortableFileName } from "../file-name.ts";

export type FileBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/**
 * A file as a download, which browsers never show in place. Source: RFC 6266 and RFC 5987, the
 * names of downloads.
 */
export function attachment(
  body: FileBody,
  { fileName, mime }: { fileName: string; mime: string },
): Response {
  const name = toPortableFileName(fileName);
  const asciiName = name.replace(/[^\x20-\x7e]|["\\]/g, "_");
  const disposition = `attachment; filename="${asciiName}"; filename*=UTF-8''${encoded(name)}`;
  return new Response(body, {
    headers: { "content-type": mime, "content-disposition": disposition },
  });
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
