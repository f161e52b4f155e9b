import { readFile, writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** Work whose cost users decide: `below` what answers requests, or behind all other work, too. */
export const PRIORITIES = {
  below: constants.priority.PRIORITY_BELOW_NORMAL,
  last: constants.priority.PRIORITY_LOW,
};

/** The kernel lets ordinary users change a group ten times a second, all of them together. */
const GROUP_TRIES = 3;
const GROUP_WAIT_MS = 120;

/**
 * Answering requests comes before work whose cost users decide. Where the kernel groups processes
 * by their sessions (autogroup), a process in a session of its own, which bubblewrap gives it, has
 * a full share of the processors whatever its priority is: there the group steps back as well.
 * Never fails: what is not permitted everywhere is not done there.
 */
export async function lowerPriority(
  pid: number,
  priority: keyof typeof PRIORITIES = "below",
): Promise<void> {
  const nice = PRIORITIES[priority];
  try {
    setPriority(pid, nice);
  } catch {
    // not permitted everywhere; the work is done all the same
  }
  const [own, group] = await Promise.all([groupOf("self"), groupOf(pid)]);
  if (group === undefined || group === own) return;
  for (let tries = 0; tries < GROUP_TRIES; tries += 1) {
    const isDone = await writeFile(`/proc/${pid}/autogroup`, String(nice)).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== "EAGAIN",
    );
    if (isDone) return;
    await sleep(GROUP_WAIT_MS);
  }
}

/** @returns undefined where the kernel does not group processes. */
async function groupOf(process: number | "self"): Promise<string | undefined> {
  const group = await readFile(`/proc/${process}/autogroup`, "utf8").catch(() => "");
  return group.split(" ")[0] || undefined;
}
