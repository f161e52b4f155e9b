import { toPortableFileName } from "../file-name.ts";

export type FileBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/**
 * Returns a file as a download, which browsers never display in place. The name is encoded by RFC
 * 6266 and RFC 5987.
 */
export function attachment(
  body: FileBody,
  { fileName, mime }: { fileName: string; mime: string },
): Response {
  const name = toPortableFileName(fileName);
  const asciiName = name.replace(/[^\x20-\x7e]|["\\]/g, "_");
  const disposition = `attachment; filename="${asciiName}"; filename*=UTF-8''${encodeFileName(name)}`;
  return new Response(body, {
    headers: { "content-type": mime, "content-disposition": disposition },
  });
}

function encodeFileName(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
