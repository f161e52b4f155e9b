import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const SQLITE_BUSY = 5;

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks a data folder for this process. The lock is SQLite's, on an empty file, and the kernel
 * releases it when the process ends in any way: it is never stale, and of two processes that start
 * at once only one gets it.
 * @throws Error that names the process that holds the lock.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const file = join(folder, "lock");
  const holder = join(folder, "lock.pid");
  const lock = new DatabaseSync(file);
  try {
    lock.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    lock.close();
    const isBusy =
      error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
    if (!isBusy) throw error;
    const pid = readPid(holder);
    const owner = pid ? `Process ${pid}` : "Another process";
    throw new Error(
      `${owner} already uses the data folder ${folder}. Stop it first, or set another DATA_DIR.`,
      { cause: error },
    );
  }
  writeFileSync(holder, String(process.pid), { mode: 0o600 });
  return { release: async () => lock.close() };
}

function readPid(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}
