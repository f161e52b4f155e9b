import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  CLOUD_KEY,
  type FakeDocumentIntelligence,
  startFakeDocumentIntelligence,
} from "../src/services/parser/testing/fake-document-intelligence.ts";
import { spawnServer, type SpawnedServer } from "./support/spawned-server.ts";

const JOBS = 16;
let dataDir: string;
let cloud: FakeDocumentIntelligence;
let running: SpawnedServer;
const start = () =>
  spawnServer({
    DATA_DIR: dataDir,
    DOCUMENT_INTELLIGENCE_ENDPOINT: cloud.url,
    DOCUMENT_INTELLIGENCE_KEY: CLOUD_KEY,
    PARSER_PROCESSES: "2",
  });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-parsing-"));
  cloud = await startFakeDocumentIntelligence();
  running = await start();
});
afterAll(async () => {
  await running.kill();
  await cloud[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

test("files in progress at kill -9 are parsed by the next process, each once", async () => {
  cloud.script.running = 6;
  const submit = async (n: number) => {
    const response = await fetch(`${running.url}/api/v1/parser/parse-async`, {
      method: "POST",
      headers: { ...running.authorization, "x-original-filename": `${n}.pdf` },
      body: `%PDF-1.7 number ${n}`,
    });
    return ((await response.json()) as { job_id: string }).job_id;
  };
  const ids = await Promise.all(Array.from({ length: JOBS }, (_, n) => submit(n)));
  const statusOf = async (id: string) =>
    (
      (await (await running.ask(`/api/v1/parser/parse-status/${id}`)).json()) as {
        status: string;
      }
    ).status;
  const done = async () =>
    (await Promise.all(ids.map(statusOf))).filter((status) => status === "completed")
      .length;
  await vi.waitFor(async () => expect(await done()).toBeGreaterThan(2), 90_000);
  await running.kill();
  cloud.script.running = 0;
  running = await start();
  await vi.waitFor(async () => expect(await done()).toBe(JOBS), {
    timeout: 90_000,
    interval: 1_000,
  });
  // a write interrupted by the kill leaves a part, which the cleanup removes later
  const stored = await readdir(join(dataDir, "files/parsed"));
  expect(new Set(stored.filter((name) => !name.endsWith(".part")))).toEqual(
    new Set(ids.map((id) => `${id}.md`)),
  );
  // a job is said to be completed before its file is deleted
  await expect.poll(() => readdir(join(dataDir, "files/parser-uploads"))).toEqual([]);
});
