import { toPortableFileName } from "../file-name.ts";

export type FileBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/**
 * Returns a file as a download, which browsers never display in place. The name is encoded by RFC
 * 6266 and RFC 5987.
 */
export function attachment(
  body: FileBody | null,
  { fileName, mime }: { fileName: string; mime: string },
  status = 200,
): Response {
  const disposition = contentDisposition("attachment", fileName);
  return new Response(body, {
    status,
    headers: { "content-type": mime, "content-disposition": disposition },
  });
}

export function contentDisposition(kind: "attachment" | "inline", fileName: string) {
  const name = toPortableFileName(fileName);
  const asciiName = name.replace(/[^\x20-\x7e]|["\\]/g, "_");
  return `${kind}; filename="${asciiName}"; filename*=UTF-8''${encodeFileName(name)}`;
}

function encodeFileName(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
