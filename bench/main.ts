import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkAccess } from "./check-access.ts";
import { memoryOfStreams } from "./memory.ts";
import { besidePeers } from "./peers.ts";
import { type Row, rowsAgainst } from "./measure.ts";
import { ruleMatching } from "./rule-matching.ts";
import { createProcesses } from "./processes.ts";
import { searching } from "./search.ts";
import { starting } from "./start.ts";
import { streamed } from "./streamed.ts";
import { toolCalls } from "./tool-calls.ts";

/**
 * Measures hot paths as ratios to a floor in the same run. Prints a table and writes
 * bench/results/latest.json.
 * Usage: node bench/main.ts [--only streamed,tools,peers,rules,memory,start,search,access]
 * [--rounds 5]
 */
const { values } = parseArgs({
  options: { only: { type: "string" }, rounds: { type: "string", default: "5" } },
});
const wanted = (name: string) =>
  values.only === undefined || values.only.split(",").includes(name);
const rounds = Number(values.rounds);

const dataDir = await mkdtemp(join(tmpdir(), "parlance-bench-"));
const processes = createProcesses();
const rows: Row[] = [];
try {
  const stage = { processes, dataDir, rounds };
  if (wanted("streamed")) rows.push(...rowsAgainst("byte pipe", await streamed(stage)));
  if (wanted("tools"))
    rows.push(...rowsAgainst("SDK client, direct", await toolCalls(stage)));
  if (wanted("peers")) {
    const figures = await besidePeers(stage);
    if (figures) rows.push(...rowsAgainst("POST /completions", figures));
  }
  if (wanted("rules")) rows.push(...rowsAgainst("every pattern", ruleMatching()));
  if (wanted("memory"))
    rows.push(...rowsAgainst("byte pipe", await memoryOfStreams(stage)));
  if (wanted("start")) rows.push(...rowsAgainst("PGlite alone", await starting(stage)));
  if (wanted("search")) rows.push(...rowsAgainst("plain SQL", await searching(stage)));
  if (wanted("access")) rows.push(...(await checkAccess(stage)));
} finally {
  processes.end();
  await rm(dataDir, { recursive: true, force: true });
}

console.table(rows);
await mkdir("bench/results", { recursive: true });
const report = { at: new Date().toISOString(), node: process.version, rows };
await writeFile("bench/results/latest.json", `${JSON.stringify(report, null, 2)}\n`);
process.exit(0);
