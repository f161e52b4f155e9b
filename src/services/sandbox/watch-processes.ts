import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { lowerPriority, type PRIORITIES } from "../../platform/isolation/lower-priority.ts";

/** What a call has too much of. */
export type Over = "time" | "waiting" | "memory";

export interface Limits {
  processorMs: number;
  callMs: number;
  memoryBytes: number;
}

const LOOK_MS = 100;
/** Processor time of a call after which calls that begin come first. */
const QUICK_MS = 500;

/** More are not looked at: the system lets a session have fewer. */
const MAX_PROCESSES = 200;
/** The kernel counts processor time in hundredths of a second, and memory in pages. */
const TICK_MS = 10;
const PAGE_BYTES = 4_096;

/** A process and all that it started, as the system shows them. */
export interface Usage {
  /** Without those that have ended and whose parent, which rests, has not asked how. */
  pids: number[];
  /** Also of processes that have ended. */
  processorMs: number;
  residentBytes: number;
}

export async function readUsage(root: number): Promise<Usage> {
  const usage: Usage = { pids: [], processorMs: 0, residentBytes: 0 };
  const waiting = [root];
  let count = 0;
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const [stat, children] = await Promise.all([
      // it has ended since it was listed, and uses nothing
      readFile(`/proc/${pid}/stat`, "utf8").catch(() => ""),
      readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => ""),
    ]);
    if (stat === "") continue;
    addStat(usage, pid, stat);
    count += 1;
    if (count >= MAX_PROCESSES) break;
    waiting.push(...children.split(" ").filter(Boolean).map(Number));
  }
  return usage;
}

/**
 * Reads proc_pid_stat(5): the state is its field 3, utime, stime, cutime and cstime are 14 to 17,
 * rss is 24.
 */
function addStat(usage: Usage, pid: number, stat: string): void {
  // the name before the third field may hold spaces
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  if (fields[0] !== "Z") usage.pids.push(pid);
  usage.processorMs += (field(14) + field(15) + field(16) + field(17)) * TICK_MS;
  usage.residentBytes += field(24) * PAGE_BYTES;
}

/**
 * Ends a call that uses too much, with all processes that it started. A long one steps back, so
 * that short calls of others are answered beside it. Dispose after the call.
 */
export async function watch(
  root: number,
  { processorMs, callMs, memoryBytes }: Limits,
  kill: (why: Over) => void,
): Promise<Disposable> {
  const before = await readUsage(root);
  let looking = false;
  let isLong = false;
  const late = setTimeout(() => kill("waiting"), callMs);
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    const { pids, residentBytes, ...now } = await readUsage(root);
    const used = now.processorMs - before.processorMs;
    if (used > processorMs) kill("time");
    if (residentBytes > memoryBytes) kill("memory");
    if (used > QUICK_MS && !isLong) {
      isLong = true;
      prioritise(pids, "last");
    }
    looking = false;
  }, LOOK_MS).unref();
  return {
    [Symbol.dispose]() {
      clearTimeout(late);
      clearInterval(timer);
      // its next call may be a short one; not every system lets a process come forward again
      if (isLong) void readUsage(root).then(({ pids }) => prioritise(pids, "below"));
    },
  };
}

export function prioritise(
  pids: readonly number[],
  priority: keyof typeof PRIORITIES,
): void {
  for (const pid of pids) void lowerPriority(pid, priority);
}

/** A busy machine takes its time to end a process. */
const REST_MS = 10_000;
const ROUND_MS = 5;

/**
 * Stops the interpreter and ends all processes that its code started.
 * @throws Error when new ones appear as fast as they are ended.
 */
export async function rest(root: number, chain: readonly number[]): Promise<void> {
  const innermost = chain.at(-1) ?? root;
  process.kill(innermost, "SIGSTOP");
  const endsAt = performance.now() + REST_MS;
  while (performance.now() < endsAt) {
    const { pids } = await readUsage(root);
    const others = pids.filter((pid) => !chain.includes(pid));
    if (others.length === 0) return;
    for (const pid of others) signalProcess(pid, "SIGKILL");
    await sleep(ROUND_MS);
  }
  throw new Error("processes of a session do not end");
}

export function wake(chain: readonly number[]): void {
  const innermost = chain.at(-1);
  if (innermost !== undefined) signalProcess(innermost, "SIGCONT");
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended
  }
}
