import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { processChain } from "../isolation/process-chain.ts";
import { type MemoryLimit, watchdogLimit } from "./memory-limit.ts";

const PREFIX = "parlance-worker-";

/**
 * Limits all memory of a process, including buffers and WebAssembly, which a heap limit does not
 * cover: by a control group below our own where permitted (v1, or v2 with the memory controller
 * delegated), otherwise by checking its resident size ten times a second.
 */
export async function limitMemory(bytes: number): Promise<MemoryLimit> {
  return (await limitByControlGroup(bytes)) ?? watchdogLimit(bytes);
}

/** @returns undefined where this process cannot create control groups with a limit. */
async function limitByControlGroup(bytes: number): Promise<MemoryLimit | undefined> {
  const parent = await ownGroup();
  if (!parent) return undefined;
  await sweep(parent.folder);
  const make = async () => {
    const name = `${PREFIX}${process.pid}-${randomBytes(4).toString("hex")}`;
    const folder = join(parent.folder, name);
    await mkdir(folder);
    try {
      for (const file of parent.limits)
        await writeFile(join(folder, file), String(bytes)).catch(optional(file));
    } catch (error) {
      await removeGroup(folder);
      throw error;
    }
    return folder;
  };
  const usable = await make().then(
    (folder) => removeGroup(folder).then(() => true),
    () => false,
  );
  if (!usable) return undefined;
  return {
    kind: "cgroup",
    async hold(pid) {
      const folder = await make();
      const release = () => removeGroup(folder);
      try {
        await moveChain(pid, join(folder, "cgroup.procs"));
      } catch (error) {
        await release();
        throw error;
      }
      return { release };
    },
  };
}

/**
 * Adds all processes, also those started in the meantime; later ones inherit the group. The shell
 * of an isolation starts some that end at once.
 */
async function moveChain(pid: number, procs: string): Promise<void> {
  const moved = new Set<number>();
  for (let others = [pid]; others.length > 0;) {
    for (const one of others) await writeFile(procs, String(one)).catch(hasEnded);
    for (const one of others) moved.add(one);
    others = (await processChain(pid)).filter((one) => !moved.has(one));
  }
}

function hasEnded(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
}

/** Limits swap too, if the kernel accounts for it. */
function optional(file: string): (error: unknown) => void {
  return (error) => {
    if (!/swap|memsw/.test(file)) throw error;
  };
}

/** Returns the control group of this process, below which groups can be created. */
async function ownGroup(): Promise<{ folder: string; limits: string[] } | undefined> {
  if (process.platform !== "linux") return undefined;
  // where there are no control groups, there is none of this process
  const lines = (await readFile("/proc/self/cgroup", "utf8").catch(() => ""))
    .split("\n")
    .map((line) => line.split(":"));
  const v1 = lines.find(([, controllers]) => controllers?.split(",").includes("memory"));
  if (v1?.[2])
    return {
      folder: join("/sys/fs/cgroup/memory", v1[2]),
      limits: ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"],
    };
  const v2 = lines.find(([number]) => number === "0");
  if (!v2?.[2]) return undefined;
  const folder = join("/sys/fs/cgroup", v2[2]);
  const control = join(folder, "cgroup.subtree_control");
  const given = await readFile(control, "utf8").catch(() => ""); // not readable: nothing is given
  return given.split(/\s+/).includes("memory")
    ? { folder, limits: ["memory.max", "memory.swap.max"] }
    : undefined;
}

/**
 * Removes the groups of processes that were killed. Those of running processes stay even while they
 * are empty: a group is created before a process is moved into it.
 */
export async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []); // without groups, there is no folder
  await Promise.all(
    // in use after all, or removed by another process that starts
    names.filter(isLeftover).map((name) => rmdir(join(folder, name)).catch(() => {})),
  );
}

function isLeftover(name: string): boolean {
  const pid = name.startsWith(PREFIX) && parseInt(name.slice(PREFIX.length), 10);
  return !!pid && !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** A group stays busy until the last process in it has ended, which takes seconds under load. */
async function removeGroup(folder: string): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    const gone = await rmdir(folder).then(
      () => true,
      (error: unknown) =>
        error instanceof Error && "code" in error && error.code === "ENOENT",
    );
    if (gone) return;
    await sleep(50 * (round + 1), undefined, { ref: false });
  }
}
