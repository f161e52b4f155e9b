import { readArguments } from "../../scripts/read-arguments.ts";
import { measureWaits } from "../waits.ts";

const USAGE = `Usage: node bench/strangers/ask-health.ts --port <number> --ms <number>

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
const waits = await measureWaits(
  () =>
    fetch(`http://127.0.0.1:${port}/healthz`, {
      headers: { connection: "close" },
      signal: AbortSignal.timeout(30_000),
    }),
  { pauseMs: 100, signal: AbortSignal.timeout(Number(ms)) },
);
console.log(JSON.stringify(waits));
