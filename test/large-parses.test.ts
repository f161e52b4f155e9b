import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { held } from "./support/held.ts";
import { heapBytes, longestTurnSince } from "./support/measure-server.ts";
import { type SpawnedServer, spawnServer } from "./support/spawned-server.ts";

const MAX_TURN_MS = 100;
const MAX_HEAP_GROWTH_BYTES = 64 * 1024 * 1024;
/** A real stall occurs at each attempt; the noise of a busy machine does not. */
const TRIES = 8;
/** Nearly the most rows, and nearly the most characters, that are read. */
const FILES: Record<string, () => string> = {
  "rows.csv": () => "name,value,other\n".repeat(480_000),
  "prose.txt": () =>
    `${"The quick brown fox jumps over it. ".repeat(40)}\n\n`.repeat(20_000),
  "escaped.txt": () => '"\\é'.repeat(6_000_000),
};

const turnsFile = join(tmpdir(), `parlance-parse-turns-${process.pid}`);
let server: SpawnedServer;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-large-parses-"));
  const idle = await spawnServer({ DATA_DIR: dataDir });
  const limit = Math.ceil(((await heapBytes(idle)) + MAX_HEAP_GROWTH_BYTES) / 2 ** 20);
  await idle.kill();
  // a request that needs more ends the process
  const recorder = new URL("./support/record-turns.ts", import.meta.url).href;
  server = await spawnServer({
    DATA_DIR: dataDir,
    NODE_OPTIONS: `--max-old-space-size=${limit} --import=${recorder}`,
    TURNS_FILE: turnsFile,
  });
}, 300_000);
afterAll(async () => {
  await server.kill();
  await rm(dataDir, { recursive: true, force: true });
  await rm(turnsFile, { force: true });
});

interface Result {
  markdown: string;
  tables?: { rows: string[][] }[];
}

async function send<Answer>(way: string, name: string): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v1/parser/${way}?extract_tables=true`, {
    method: "POST",
    headers: { ...server.authorization, "x-original-filename": name },
    body: FILES[name]?.() ?? "",
  });
  expect([200, 202]).toContain(response.status);
  return (await response.json()) as Answer;
}

async function resultOf(jobId: string): Promise<Result> {
  return vi.waitFor(
    async () => {
      const answer = await server.ask(`/api/v1/parser/parse-status/${jobId}`);
      const { result } = (await answer.json()) as { result?: Result };
      if (!result) throw new Error("the job has not ended");
      return result;
    },
    { timeout: 90_000, interval: 500 },
  );
}

test.each(Object.keys(FILES))(
  "the whole text and tables of %s hold neither the event loop nor memory",
  async (name) => {
    let longest = Infinity;
    for (let attempt = 0; attempt < TRIES && longest > MAX_TURN_MS; attempt += 1) {
      const beganAt = Date.now();
      const waited = await send<Result>("parse", name);
      const { job_id: jobId } = await send<{ job_id: string }>("parse-async", name);
      const { markdown, tables } = await resultOf(jobId);
      expect(markdown === waited.markdown && markdown.length > 10_000_000).toBe(true);
      expect(tables?.[0]?.rows.length).toBe(waited.tables?.[0]?.rows.length);
      longest = Math.min(longest, await longestTurnSince(turnsFile, beganAt));
    }
    expect(server.child.exitCode).toBeNull();
    expect(longest).toBeLessThanOrEqual(MAX_TURN_MS);
    held("event-loop");
  },
  300_000,
);
