import { readFile } from "node:fs/promises";

const CHECK_MS = 100;
/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;

/**
 * Calls `onOver` once a process has used more processor time than `maxMs` from now on. Works on
 * Linux; elsewhere it never calls.
 */
export function watchProcessorTime(
  pid: number,
  maxMs: number,
  onOver: () => void,
): Disposable {
  // what the process has done before is not the task's
  let before: number | undefined;
  const timer = setInterval(async () => {
    const used = await processorMs(pid).catch(() => undefined);
    if (used === undefined) return;
    before ??= used;
    if (used - before > maxMs) onOver();
  }, CHECK_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Reads proc_pid_stat(5), fields 14 (utime) and 15 (stime). */
async function processorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // the name before the third field may hold spaces
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  return (field(14) + field(15)) * TICK_MS;
}
