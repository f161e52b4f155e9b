import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readArguments, refuseArguments } from "../../scripts/read-arguments.ts";
import { createProcesses } from "../processes.ts";
import { startServer } from "../server.ts";
import { residentBytes } from "../streams.ts";
import type { Waits } from "../waits.ts";
import { type Abuse, ABUSES } from "./abuses.ts";

const USAGE = `Usage: npm run strangers [-- options]

Does what strangers may do to connections, more than fifty kinds at once, to a server of its own, and
measures how long others wait for /healthz meanwhile and what memory stays. Ends with 1 when the
99th percentile is more than 250 ms beyond that of the idle server, or more than 128 MB stay.

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
/** What each kind loads and compiles stays: memory is compared after that. */
const WARM_UP_MS = 15_000;
const REST_MS = 60_000;
const MAX_MORE_MS = 250;
/** The system's allocator keeps pieces of what ten thousand connections took. */
const MAX_MORE_MB = 128;
const MEGABYTE = 2 ** 20;

/** How long others wait for /healthz within a time. */
async function askHealth(port: number, ms: number): Promise<Waits> {
  const program = fileURLToPath(new URL("ask-health.ts", import.meta.url));
  const args = [program, "--port", String(port), "--ms", String(ms)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Waits; // as the program prints them
}

const kinds = ABUSES.filter(({ name }) => name.includes(values.only));

/** Does all kinds until the time is over, each by as many strangers at once as `many` says. */
async function abuse(
  port: number,
  signal: AbortSignal,
  many: (abuse: Abuse) => number,
): Promise<Map<string, { times: number }>> {
  const counts = new Map(kinds.map(({ name }) => [name, { times: 0 }]));
  const strangers = kinds.flatMap((one) =>
    Array.from({ length: many(one) }, async () => {
      for (; !signal.aborted; (counts.get(one.name) ?? { times: 0 }).times += 1)
        await one.run({ port, signal });
    }),
  );
  await Promise.all(strangers);
  return counts;
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
  await askHealth(port, IDLE_MS);
  const idle = await askHealth(port, IDLE_MS);
  await abuse(port, AbortSignal.timeout(WARM_UP_MS), () => 1);
  await sleep(REST_MS);
  const before = memory();

  const ms = minutes * 60_000;
  const strangers = abuse(port, AbortSignal.timeout(ms), ({ at }) => at);
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, memory())), 500);
  const busy = await askHealth(port, ms);
  const counts = await strangers;
  clearInterval(watch);
  await sleep(REST_MS);
  const after = memory();

  console.table(Object.fromEntries(counts));
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
