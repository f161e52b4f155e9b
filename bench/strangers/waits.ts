import { setTimeout as sleep } from "node:timers/promises";
import { readArguments } from "../../scripts/read-arguments.ts";

const USAGE = `Usage: node bench/strangers/waits.ts --port <number> --ms <number>

Asks for /healthz of a server ten times a second, each time over a connection of its own, and prints
how long it waited, in ms, as JSON. In a process of its own, which the strangers do not keep busy.

  --port <number>  of the server
  --ms <number>    how long it asks
  --help           print this`;

const { values } = readArguments(USAGE, {
  options: {
    port: { type: "string", default: "8080" },
    ms: { type: "string", default: "15000" },
  },
});
const { port, ms } = values;
const end = performance.now() + Number(ms);
const times: number[] = [];
let failed = 0;
while (performance.now() < end) {
  const start = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, {
    headers: { connection: "close" },
    signal: AbortSignal.timeout(30_000),
  }).catch(() => undefined);
  await answer?.text();
  if (answer?.status !== 200) failed += 1;
  times.push(performance.now() - start);
  await sleep(100);
}
times.sort((one, other) => one - other);
const at = (share: number) =>
  Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
const waits = { p50: at(0.5), p99: at(0.99), longest: at(1), asked: times.length, failed };
console.log(JSON.stringify(waits));
