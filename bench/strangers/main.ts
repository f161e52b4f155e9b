import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readArguments, refuseArguments } from "../../scripts/read-arguments.ts";
import { createProcesses } from "../processes.ts";
import { startServer } from "../server.ts";
import { residentBytes } from "../streams.ts";
import { ABUSES } from "./abuses.ts";

const USAGE = `Usage: npm run strangers [-- options]

Does what strangers may do to connections, more than fifty kinds at once, to a server of its own, and
measures how long others wait for /healthz meanwhile and what memory stays. Ends with 1 when the
99th percentile is more than 250 ms beyond that of the idle server, or more than 96 MB stay.

  --minutes <number>  how long; 3 by default, 60 for an hour
  --only <text>       the kinds whose name contains this
  --help              print this`;

const { values } = readArguments(USAGE, {
  options: {
    minutes: { type: "string", default: "3" },
    only: { type: "string", default: "" },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) refuseArguments("--minutes is a number above 0.", USAGE);

const IDLE_MS = 15_000;
const REST_MS = 60_000;
const MAX_MORE_MS = 250;
const MAX_MORE_MB = 96;
const MEGABYTE = 2 ** 20;

interface Waits {
  p50: number;
  p99: number;
  longest: number;
  asked: number;
  failed: number;
}

/** Asks for /healthz ten times a second, each time over a connection of its own. */
async function measureWaits(port: number, signal: AbortSignal): Promise<Waits> {
  const times: number[] = [];
  let failed = 0;
  while (!signal.aborted) {
    const start = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, {
      headers: { connection: "close" },
      signal: AbortSignal.timeout(30_000),
    }).catch(() => undefined);
    await answer?.text();
    if (answer?.status !== 200) failed += 1;
    times.push(performance.now() - start);
    await sleep(100, undefined, { ref: false });
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
  const longest = Math.round(times.at(-1) ?? 0);
  return { p50: at(0.5), p99: at(0.99), longest, asked: times.length, failed };
}

const processes = createProcesses();
const dataDir = await mkdtemp(join(tmpdir(), "parlance-strangers-"));
try {
  const { port, pid } = await startServer(
    { processes, dataDir, rounds: 1, seconds: 1 },
    "strangers",
    "http://127.0.0.1:9/v1",
  );
  const memory = () => Math.round(residentBytes(pid) / MEGABYTE);
  await measureWaits(port, AbortSignal.timeout(IDLE_MS));
  const idle = await measureWaits(port, AbortSignal.timeout(IDLE_MS));
  const before = memory();

  const signal = AbortSignal.timeout(minutes * 60_000);
  const counts = new Map<string, number>();
  const kinds = ABUSES.filter(({ name }) => name.includes(values.only));
  const strangers = kinds.flatMap(({ name, at, run }) =>
    Array.from({ length: at }, async () => {
      while (!signal.aborted) {
        await run({ port, signal });
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }),
  );
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, memory())), 500);
  const busy = await measureWaits(port, signal);
  await Promise.all(strangers);
  clearInterval(watch);
  await sleep(REST_MS);
  const after = memory();

  console.table(Object.fromEntries([...counts].map(([name, times]) => [name, { times }])));
  console.table({ idle, "with strangers": busy });
  console.log(
    `${kinds.length} kinds; memory ${before} MB before, ${peak} MB at most, ${after} MB a minute after`,
  );
  const isFair = busy.p99 <= idle.p99 + MAX_MORE_MS && busy.failed === 0;
  const isBack = after <= before + MAX_MORE_MB;
  console.log(isFair && isBack ? "held" : "NOT HELD");
  process.exitCode = isFair && isBack ? 0 : 1;
} finally {
  processes.end();
  await rm(dataDir, { recursive: true, force: true });
}
