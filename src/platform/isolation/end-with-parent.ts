import { Worker } from "node:worker_threads";

/** Runs in a separate thread: the main thread may stay busy after the parent was killed. */
const END_WITH_PARENT = `
  const { workerData: parent } = require("node:worker_threads");
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 1000);
`;

/**
 * Ends a process of `isolatedNode` after its parent has ended, where the system does not. Then
 * drops the right to start threads.
 */
export function endWithParent(): void {
  // passed by the parent, which may have ended by now
  const [, , parent] = process.argv;
  if (parent === undefined) return;
  new Worker(END_WITH_PARENT, {
    eval: true,
    workerData: Number(parent),
    resourceLimits: { maxOldGenerationSizeMb: 8 },
  }).unref();
  (process.permission as Droppable).drop("worker");
}

/** Node 24 has it; the published types lack it. */
type Droppable = typeof process.permission & { drop(scope: string): void };
