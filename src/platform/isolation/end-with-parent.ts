import { Worker } from "node:worker_threads";

/** A thread of its own: the first one may be busy for ever after the parent was killed. */
const END_WITH_PARENT = `
  const { workerData: parent } = require("node:worker_threads");
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 1000);
`;

/**
 * Ends a process of `isolatedNode` when its parent has ended, where the system does not, and then
 * gives up the right to start threads.
 */
export function endWithParent(): void {
  // as the parent gave it: the parent may be gone by now
  const [, , parent] = process.argv;
  if (parent === undefined) return;
  new Worker(END_WITH_PARENT, {
    eval: true,
    workerData: Number(parent),
    resourceLimits: { maxOldGenerationSizeMb: 8 },
  }).unref();
  (process.permission as Droppable).drop("worker");
}

/** Node 24's, which its published types lack. */
type Droppable = typeof process.permission & { drop(scope: string): void };
