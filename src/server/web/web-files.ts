import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import type { Encoding } from "../../platform/http/accept-encoding.ts";

/** A file of the built web app, with its compressed copies. */
export interface WebFile {
  mime: string;
  etag: string;
  /**
   * Whether its name contains a hash of its content, as all files in this folder of the build do.
   */
  isHashed: boolean;
  bytes: Uint8Array<ArrayBuffer>;
  compressed: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>;
}

const HASHED_FOLDER = "/assets/";
const SUFFIXES: Record<Encoding, string> = { br: ".br", gzip: ".gz" };
const MIME_TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** Reads a build of the web app into memory: a few megabytes. Keys are the paths of requests. */
export async function readWebFiles(folder: string): Promise<Map<string, WebFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const bytesOf = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join("/")}`;
    bytesOf.set(path, new Uint8Array(await readFile(file)));
  }
  const files = new Map<string, WebFile>();
  for (const [path, bytes] of bytesOf) {
    const mime = MIME_TYPES[extname(path)];
    if (mime === undefined) continue;
    const br = bytesOf.get(path + SUFFIXES.br);
    const gzip = bytesOf.get(path + SUFFIXES.gzip);
    files.set(path, {
      mime,
      bytes,
      etag: `W/"${createHash("sha256").update(bytes).digest("base64url")}"`,
      isHashed: path.startsWith(HASHED_FOLDER),
      compressed: { ...(br && { br }), ...(gzip && { gzip }) },
    });
  }
  return files;
}
