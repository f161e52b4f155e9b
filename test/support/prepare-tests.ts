import { execFile } from "node:child_process";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { BASELINE } from "./command.ts";

const ROOT = join(import.meta.dirname, "../..");

/**
 * Before all tests: the database that their servers start on a copy of, also after a migration was
 * added, and a folder for temporary files, in memory where there is enough of it.
 */
export default async function prepareTests(): Promise<() => Promise<void>> {
  // processes of tests inherit it, and read there what this one compiles
  process.env["NODE_COMPILE_CACHE"] ??= join(ROOT, "node_modules/.cache/parlance");
  const prepare = [...BASELINE, "src/main.ts", "prepare"];
  await promisify(execFile)(process.execPath, prepare, { cwd: ROOT });
  const folder = await folderInMemory();
  if (folder) process.env["TMPDIR"] = folder; // workers and their servers inherit it
  return async () => {
    // a browser that is ending may still write
    if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

const ROOM_BYTES = 8 * 1024 ** 3;

/** Servers create 1,400 files each, and no test needs them to outlive a power cut. */
async function folderInMemory(): Promise<string | undefined> {
  const memory = await statfs("/dev/shm").catch(() => undefined);
  if (!memory || memory.bavail * memory.bsize < ROOM_BYTES) return undefined;
  return mkdtemp("/dev/shm/parlance-tests-");
}
