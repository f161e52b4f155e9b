import { readdirSync, readFileSync } from "node:fs";
import { request, type Agent } from "undici";
import type { Contender } from "./measure.ts";
import { timed } from "./measure.ts";

/** The cost of one kind of streamed reply. */
export interface Target {
  name: string;
  url: string;
  headers?: Record<string, string>;
  body: object;
  /** The process whose work is counted. */
  pid: number;
  /** Tokens that one reply carries. */
  tokens: number;
}

/**
 * Measures replies at full speed: replies per second, and processor time per token in the serving
 * process.
 */
export function replies(
  agent: Agent,
  target: Target,
  { total, atOnce }: { total: number; atOnce: number },
): Contender {
  return {
    name: target.name,
    async run() {
      const firsts: number[] = [];
      const before = processorSeconds(target.pid);
      const databaseBefore = workerSeconds(target.pid);
      const seconds = await timed(
        total,
        atOnce,
        async () => void firsts.push(await readReply(agent, target)),
      );
      const used = processorSeconds(target.pid) - before;
      const database = workerSeconds(target.pid) - databaseBefore;
      firsts.sort((a, b) => a - b);
      return {
        "replies a second": total / seconds,
        "µs of processor a token": (used / (total * target.tokens)) * 1e6,
        // the work of a database server does not count
        "µs of it the embedded database's": (database / (total * target.tokens)) * 1e6,
        "first token, ms": firsts[Math.floor(firsts.length / 2)] ?? Number.NaN,
      };
    },
  };
}

/** @returns ms until the first bytes of the body. */
async function readReply(agent: Agent, { url, headers, body }: Target): Promise<number> {
  const startedAt = performance.now();
  const answer = await request(url, {
    method: "POST",
    dispatcher: agent,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (answer.statusCode !== 200)
    throw new Error(`${url}: ${answer.statusCode} ${await answer.body.text()}`);
  let first = Number.NaN;
  for await (const _ of answer.body)
    if (Number.isNaN(first)) first = performance.now() - startedAt;
  return first;
}

/** Processor time of a process so far, all threads together, in seconds. Linux only. */
export function processorSeconds(pid: number): number {
  return secondsIn(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

/** The same with all processes that it started. */
export function treeProcessorSeconds(root: number): number {
  const parents = new Map(
    readdirSync("/proc").flatMap((id) => {
      const parent = /^\d+$/.test(id) ? parentOf(id) : undefined;
      return parent === undefined ? [] : [[Number(id), parent] as const];
    }),
  );
  const isOfTree = (pid: number): boolean => {
    const parent = parents.get(pid);
    return pid === root || (parent !== undefined && isOfTree(parent));
  };
  return [...parents.keys()]
    .filter(isOfTree)
    .reduce((sum, pid) => sum + processorSeconds(pid), 0);
}

/** Undefined for a process that has ended. */
function parentOf(id: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
  } catch {
    return undefined;
  }
}

/** The same for its worker threads; the embedded database is the only one. */
function workerSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) =>
    readFileSync(`/proc/${pid}/task/${id}/stat`, "utf8"),
  );
  return threads
    .filter((stat) => stat.includes("(WorkerThread)"))
    .reduce((sum, stat) => sum + secondsIn(stat), 0);
}

function secondsIn(stat: string): number {
  const fields = stat.split(") ")[1]?.split(" ") ?? [];
  // utime and stime, in hundredths of a second
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Resident memory of a process in bytes. Linux only. */
export function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

/** The value below which so many percent of them lie. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length * percent) / 100)] ?? Number.NaN;
}
