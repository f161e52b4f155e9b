import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { uuidv7 } from "uuidv7";
import { diskFiles } from "../../platform/files/disk-files.ts";
import type { StoredFile } from "../../platform/files/files.ts";

/**
 * Files on this machine's disk while they are read, because the processes that read them have no
 * network.
 */
export interface LocalFiles {
  folder: string;
  /** @throws TooLarge `file_too_large`. */
  take(
    body: AsyncIterable<Uint8Array>,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<LocalFile>;
}

export interface LocalFile extends StoredFile, AsyncDisposable {
  path: string;
}

/** Older files were left by a process that was killed. */
const OLD_MS = 6 * 3_600_000;

export async function openLocalFiles(folder: string): Promise<LocalFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await sweep(folder);
  const files = diskFiles(folder);
  return {
    folder,
    async take(body, options) {
      const key = uuidv7();
      const stored = await files.write(key, body, options);
      return {
        ...stored,
        path: join(folder, key),
        [Symbol.asyncDispose]: () => files.delete(key),
      };
    },
  };
}

async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - OLD_MS) await rm(path, { force: true });
  }
}
