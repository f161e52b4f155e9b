import { randomBytes } from "node:crypto";
import { glob, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Readable } from "node:stream";
import { Unavailable } from "../http/errors.ts";
import { fileMissing, type Files, type StoredFile } from "./files.ts";
import { makeFolder } from "./make-folder.ts";
import { MeasuredBytes } from "./measure-bytes.ts";

/** Lower-case letters, digits and dashes between slashes and dots: no key leaves the folder. */
const KEY = /^[a-z0-9-]+(?:[./][a-z0-9-]+)*$/;

type FileStream = ReadableStream<Uint8Array>;

/** Files in a folder. */
export function diskFiles(folder: string): Files {
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new Error(`"${key}" is not a key of a file`);
    return join(folder, key);
  };
  return {
    async write(key, body, options) {
      const path = pathOf(key);
      const part = `${path}.${randomBytes(6).toString("hex")}.part`;
      await makeFolder(dirname(path));
      try {
        const stored = await writeAll(part, new MeasuredBytes(body, options));
        await rename(part, path);
        return stored;
      } catch (error) {
        await rm(part, { force: true });
        throw isFull(error) ? storageFull(error) : error;
      }
    },
    async read(key, range) {
      const file = await openToRead(pathOf(key));
      if (range) return Readable.toWeb(file.createReadStream(range)) as FileStream;
      // bytes, as Node documents it; the stream closes the file at its end and when it is cancelled
      return file.readableWebStream({ autoClose: true }) as FileStream;
    },
    async readStart(key, bytes) {
      const file = await openToRead(pathOf(key));
      try {
        const buffer = new Uint8Array(bytes);
        const { bytesRead } = await file.read(buffer, 0, bytes, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    async *list() {
      for await (const entry of glob("**/*", { cwd: folder, withFileTypes: true })) {
        const key = relative(folder, join(entry.parentPath, entry.name));
        if (entry.isFile() && !key.endsWith(".part")) yield key;
      }
    },
  };
}

/**
 * Removes files that a process was writing when it was killed. Those changed after `since` may
 * still be written.
 */
export async function removeParts(folder: string, since: number): Promise<void> {
  for await (const path of glob("**/*.part", { cwd: folder })) {
    const file = join(folder, path);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < since) await rm(file, { force: true });
  }
}

async function writeAll(path: string, bytes: MeasuredBytes): Promise<StoredFile> {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of bytes) await file.write(chunk);
    // an acknowledged file is on the disk
    await file.sync();
  } finally {
    await file.close();
  }
  return bytes.end();
}

async function openToRead(path: string) {
  try {
    return await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw fileMissing();
    throw error;
  }
}

function isFull(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return ["ENOSPC", "EDQUOT"].includes(String(error.code));
}

function storageFull(cause: unknown): Unavailable {
  const sentence =
    "The server's disk is full. An administrator must free space in the data folder.";
  return new Unavailable("disk_full", sentence, 30_000, { cause });
}
