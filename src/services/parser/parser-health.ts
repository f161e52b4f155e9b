import { statfs } from "node:fs/promises";
import type { SentenceCode } from "../../platform/http/reported-error.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import {
  type Check,
  checkHealth,
  Degraded,
  toField,
} from "../../platform/telemetry/health.ts";
import type { Backend } from "./backends/backend.ts";
import type { FilePool } from "./reading/file-pool.ts";

export interface HealthDeps {
  backends: readonly Backend[];
  pool: FilePool;
  queue: Queue;
  /** The folder of files while they are read. */
  folder: string;
  maxBytes: number;
  memoryBytes: number;
}

type Checks = Record<string, Check>;
interface Part extends SentenceCode {
  status: "ok" | "degraded" | "down" | "absent";
  latencyMs?: number;
  detail?: string;
}

/** With this many waiting files for each one in progress, the parser is overloaded. */
const LONG_LINE = 50;

/** The readiness checks of what parsing depends on. */
export function readinessChecks({
  pool,
  queue,
  folder,
  maxBytes,
  memoryBytes,
}: HealthDeps): Checks {
  return {
    async memory() {
      const free = process.availableMemory();
      if (free < memoryBytes)
        throw new Degraded({
          code: "memory_short",
          message: `${Math.round(free / 2 ** 20)} MB of memory are free, less than one file may take.`,
          params: { freeBytes: free },
        });
    },
    disk: () => checkDisk(folder, maxBytes),
    async parsers() {
      const { waiting } = pool.state();
      if (waiting >= LONG_LINE)
        throw new Degraded({
          code: "files_wait",
          message: `${waiting} files wait to be read.`,
          params: { count: waiting },
        });
    },
    queue: () => queue.ping(),
  };
}

/** Space for one file. */
export async function checkDisk(folder: string, maxBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < maxBytes)
    throw new Degraded({
      code: "disk_nearly_full",
      message: "The disk is nearly full: files cannot be taken in to be read.",
    });
}

/** The state of each backend. A backend that is not configured is not a fault. */
export async function backendHealth(
  backends: readonly Backend[],
  signal: AbortSignal,
): Promise<{ status: "ok" | "degraded" | "down"; backends: Record<string, Part> }> {
  const there = backends.filter(({ absent }) => absent === undefined);
  const checks: Checks = Object.fromEntries(
    there.map(({ key, check }) => [key, async () => check?.(signal)]),
  );
  const { checks: states } = await checkHealth(checks, 3_000);
  const answering = Object.values(states).filter(({ status }) => status === "ok").length;
  const absent = backends.flatMap(({ key, absent: why }) =>
    why ? [[key, { status: "absent" as const, ...toField(why) }] as const] : [],
  );
  return {
    // the local ones are always available
    status: answering === there.length ? "ok" : answering > 0 ? "degraded" : "down",
    backends: { ...states, ...Object.fromEntries(absent) },
  };
}
