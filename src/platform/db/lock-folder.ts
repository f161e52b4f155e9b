import { readFileSync } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Lets one process at a time use a data folder. A lock whose process is gone, killed or from before a reboot, is taken over.
 * @throws Error that names the process which holds it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const file = join(folder, "lock");
  const mine = identity(process.pid);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      const handle = await open(file, "wx", 0o600);
      await handle.writeFile(mine);
      await handle.close();
      return { release: () => rm(file, { force: true }) };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const holder = await readFile(file, "utf8").catch(() => "");
    const [pid] = holder.split(" ");
    if (holder !== "" && holder === identity(Number(pid))) {
      throw new Error(`Process ${pid} already uses the data folder ${folder}. Stop it first, or set another DATA_DIR.`);
    }
    await rm(file, { force: true });
  }
  throw new Error(`The data folder ${folder} cannot be locked. Is another process starting on it?`);
}

/** A process id and when that process began, so that an id that is used again is not taken for the old process. */
function identity(pid: number): string {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return "";
  }
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // the third field and the 22nd; the second one, in brackets, may hold spaces
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // a zombie was killed and only waits to be noticed
    return fields[0] === "Z" ? "" : `${pid} ${fields[19]} ${boot}`;
  } catch {
    return `${pid}`;
  }
}
