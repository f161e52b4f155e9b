import { constants, setPriority } from "node:os";

/** Answering requests comes before work whose cost users decide. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // not permitted everywhere; the work is done all the same
  }
}
