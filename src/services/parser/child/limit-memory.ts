import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import {
  innermostProcess,
  processChain,
} from "../../../platform/isolation/process-chain.ts";

export interface MemoryLimit {
  /**
   * `cgroup`: the kernel enforces the limit. `watchdog`: this service checks the memory and ends
   * the process.
   */
  kind: "cgroup" | "watchdog";
  /**
   * Limits the memory of a process and of the one that it wraps. `over` is called unless the kernel
   * ends the process.
   */
  hold(pid: number, over: () => void): Promise<Held>;
}

interface Held {
  release(): Promise<void>;
}

const LOOK_MS = 100;
const PREFIX = "parlance-parser-";

/**
 * Limits all memory of a process, including buffers and WebAssembly, which a heap limit does not
 * cover: by a control group below our own where permitted (v1, or v2 with the memory controller
 * delegated), otherwise by checking its resident size ten times a second.
 */
export async function limitMemory(bytes: number): Promise<MemoryLimit> {
  return (await cgroupLimit(bytes)) ?? watchdogLimit(bytes);
}

export function watchdogLimit(bytes: number): MemoryLimit {
  return {
    kind: "watchdog",
    async hold(pid, over) {
      let looking = false;
      const timer = setInterval(() => {
        if (looking) return;
        looking = true;
        void innermostProcess(pid)
          .then(residentBytes)
          .then((held) => held > bytes && over())
          .finally(() => (looking = false));
      }, LOOK_MS).unref();
      return { release: async () => clearInterval(timer) };
    },
  };
}

/** @returns 0 for a process that has ended. */
export async function residentBytes(pid: number): Promise<number> {
  try {
    if (process.platform === "linux") {
      const status = await readFile(`/proc/${pid}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
    }
    const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)], {
      timeout: 2_000,
    });
    return Number(stdout.trim()) * 1024;
  } catch {
    return 0;
  }
}

async function cgroupLimit(bytes: number): Promise<MemoryLimit | undefined> {
  const parent = await ownGroup();
  if (!parent) return undefined;
  await sweep(parent.folder);
  const make = async () => {
    const folder = join(
      parent.folder,
      `${PREFIX}${process.pid}-${randomBytes(4).toString("hex")}`,
    );
    await mkdir(folder);
    try {
      for (const file of parent.limits)
        await writeFile(join(folder, file), String(bytes)).catch(optional(file));
    } catch (error) {
      await rmdir(folder);
      throw error;
    }
    return folder;
  };
  const usable = await make().then(
    (folder) => rmdir(folder).then(() => true),
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

/** Adds all processes, also those started meanwhile; later ones inherit the group. */
async function moveChain(pid: number, procs: string): Promise<void> {
  let moved = 0;
  for (let chain = [pid]; moved < chain.length; chain = await processChain(pid)) {
    for (const one of chain.slice(moved)) await writeFile(procs, String(one));
    moved = chain.length;
  }
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
  const given = await readFile(join(folder, "cgroup.subtree_control"), "utf8").catch(
    () => "",
  );
  return given.split(/\s+/).includes("memory")
    ? { folder, limits: ["memory.max", "memory.swap.max"] }
    : undefined;
}

/** Removes the groups of a process that was killed. A group in use cannot be removed. */
async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(
    names
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => rmdir(join(folder, name)).catch(() => {})),
  );
}

/** A group stays busy for a moment after its process has ended. */
async function removeGroup(folder: string): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    const gone = await rmdir(folder).then(
      () => true,
      (error: unknown) =>
        error instanceof Error && "code" in error && error.code === "ENOENT",
    );
    if (gone) return;
    await sleep(50, undefined, { ref: false });
  }
}
