import {
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  constants,
  rename,
  rm,
  utimes,
  writeFile,
  chmod,
} from "node:fs/promises";
import { join } from "node:path";
import { ApiError } from "../../../platform/http/errors.ts";
import type { PreparedTable } from "./prepared.ts";

/** The databases that were made of files, by the hash of their bytes, on this machine's disk. */
export interface TableFiles {
  find(sha256: string): Promise<PreparedTable[] | undefined>;
  /** Moves a database here, which a worker wrote. */
  keep(sha256: string, tables: PreparedTable[], path: string): Promise<void>;
  /** Copies the database where a worker reads it. */
  copy(sha256: string, path: string): Promise<void>;
  /** Deletes those that nobody has used for a while, and the oldest beyond the room. */
  sweep(): Promise<void>;
}

/** Bytes of documents that may have been deleted since. */
const IDLE_MS = 15 * 60_000;
const MAX_BYTES = 4 * 2 ** 30;
const MAX_DATABASE_BYTES = 2 ** 30;

export async function openTableFiles(folder: string): Promise<TableFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const database = (sha256: string) => join(folder, `${sha256}.duckdb`);
  const description = (sha256: string) => join(folder, `${sha256}.json`);
  return {
    async find(sha256) {
      // none was kept, or the sweep has deleted it: the caller prepares the tables again
      const text = await readFile(description(sha256), "utf8").catch(() => undefined);
      if (text === undefined) return undefined;
      const now = new Date();
      await utimes(database(sha256), now, now).catch(() => {}); // only the sweep reads it
      return JSON.parse(text) as PreparedTable[]; // written by `keep` of this process
    },
    async keep(sha256, tables, path) {
      const found = await lstat(path);
      if (!found.isFile() || found.nlink !== 1 || found.size > MAX_DATABASE_BYTES)
        throw tooLarge();
      // the folder of a worker may be on another disk
      await copyFile(path, `${database(sha256)}.part`, constants.COPYFILE_FICLONE);
      await chmod(`${database(sha256)}.part`, 0o600);
      await rename(`${database(sha256)}.part`, database(sha256));
      const part = `${description(sha256)}.part`;
      await writeFile(part, JSON.stringify(tables), { mode: 0o600 });
      await rename(part, description(sha256));
    },
    async copy(sha256, path) {
      await copyFile(database(sha256), path);
      // the worker may be another user
      await chmod(path, 0o644);
    },
    sweep: () => sweep(folder, Date.now() - IDLE_MS),
  };
}

async function sweep(folder: string, idleBefore: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".duckdb"));
  const found = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await lstat(join(folder, name));
      return { name, size, mtimeMs };
    }),
  );
  let bytes = 0;
  for (const { name, size, mtimeMs } of found.toSorted((a, b) => b.mtimeMs - a.mtimeMs)) {
    bytes += size;
    if (mtimeMs > idleBefore && bytes <= MAX_BYTES) continue;
    await rm(join(folder, name.replace(/duckdb$/, "json")), { force: true });
    await rm(join(folder, name), { force: true });
  }
}

function tooLarge(): ApiError {
  return new ApiError(
    422,
    "too_complex",
    "The tables of this file are too large to be queried. Divide the file.",
  );
}
