import { totalmem } from "node:os";

/** What the process may use: the limit of its control group, or the memory of the machine. */
export function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
