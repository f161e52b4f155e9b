import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Lets one process at a time use a data folder. The kernel holds the lock (SQLite's, on an empty
 * file) and drops it with the process, however that ends: nothing is ever stale, and two that start
 * at once cannot both win.
 * @throws Error that names the process which holds it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const file = join(folder, "lock");
  const holder = join(folder, "lock.pid");
  const lock = new DatabaseSync(file);
  try {
    lock.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    lock.close();
    if (!(error instanceof Error && "errcode" in error && error.errcode === 5)) throw error;
    const pid = readPid(holder);
    const who = pid ? `Process ${pid}` : "Another process";
    throw new Error(
      `${who} already uses the data folder ${folder}. Stop it first, or set another DATA_DIR.`,
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
