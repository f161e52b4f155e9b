import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments, refuseArguments } from "../scripts/read-arguments.ts";
import { checkAccess } from "./check-access.ts";
import { atReadingSpeed } from "./human.ts";
import { memoryOfStreams } from "./memory.ts";
import { besidePeers } from "./peers.ts";
import { type Row, rowsAgainst } from "./measure.ts";
import { codeCalls } from "./code.ts";
import { diskOfTurns } from "./disk.ts";
import { ruleMatching } from "./rule-matching.ts";
import { createProcesses } from "./processes.ts";
import { searching } from "./search.ts";
import type { Stage } from "./server.ts";
import { starting } from "./start.ts";
import { streamed } from "./streamed.ts";
import { tableQueries } from "./tables.ts";
import { toolCalls } from "./tool-calls.ts";
import { floorOfUnused, unusedAbilities } from "./unused-abilities.ts";
import { webPages } from "./web-pages.ts";

/** Each part of the measurements and its rows. */
const PARTS: Record<string, (stage: Stage) => Promise<Row[]>> = {
  streamed: async (stage) => rowsAgainst("byte pipe", await streamed(stage)),
  tools: async (stage) => rowsAgainst("SDK client, direct", await toolCalls(stage)),
  human: async (stage) => rowsAgainst("byte pipe", await atReadingSpeed(stage)),
  peers: async (stage) =>
    rowsAgainst("POST /completions", (await besidePeers(stage)) ?? {}),
  rules: async () => rowsAgainst("every pattern", ruleMatching()),
  memory: async (stage) => rowsAgainst("byte pipe", await memoryOfStreams(stage)),
  disk: async (stage) => rowsAgainst("the texts alone", await diskOfTurns(stage)),
  start: async (stage) => rowsAgainst("PGlite alone", await starting(stage)),
  code: async (stage) => rowsAgainst("the interpreter alone", await codeCalls(stage)),
  tables: async (stage) => rowsAgainst("DuckDB alone", await tableQueries(stage)),
  web: async (stage) => rowsAgainst("fetch and Readability", await webPages(stage)),
  unused: async (stage) => rowsAgainst(floorOfUnused, await unusedAbilities(stage)),
  search: async (stage) => rowsAgainst("plain SQL", await searching(stage)),
  access: checkAccess,
};

const USAGE = `Usage: npm run bench -- [options]

Measures hot paths as ratios to a floor in the same run. Prints a table and writes
bench/results/latest.json.

  --only <parts>     some of ${Object.keys(PARTS).join(",")}
  --rounds <number>  how often each is measured; 5 by default
  --seconds <number> how long one round at reading speed takes; 20 by default
  --help             print this`;

const { values } = readArguments(USAGE, {
  options: {
    only: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "20" },
  },
});
const rounds = Number(values.rounds);
if (!(rounds >= 1)) refuseArguments(`${values.rounds} is no number of rounds.`, USAGE);
const seconds = Number(values.seconds);
if (!(seconds >= 1)) refuseArguments(`${values.seconds} is no number of seconds.`, USAGE);
const parts = (values.only?.split(",") ?? Object.keys(PARTS)).map(
  (name) => PARTS[name] ?? refuseArguments(`There is no part ${name}.`, USAGE),
);

const dataDir = await mkdtemp(join(tmpdir(), "parlance-bench-"));
const processes = createProcesses();
const rows: Row[] = [];
try {
  for (const part of parts)
    rows.push(...(await part({ processes, dataDir, rounds, seconds })));
} finally {
  processes.end();
  await rm(dataDir, { recursive: true, force: true });
}

console.table(rows);
await mkdir("bench/results", { recursive: true });
const report = { at: new Date().toISOString(), node: process.version, rows };
await writeFile("bench/results/latest.json", `${JSON.stringify(report, null, 2)}\n`);
process.exit(0);
