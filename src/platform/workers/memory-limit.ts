import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { innermostProcess } from "../isolation/process-chain.ts";

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
