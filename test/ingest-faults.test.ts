import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testServerUrl } from "../src/platform/testing/database.ts";
import { spawnServer, type SpawnedServer } from "./support/spawned-server.ts";
import { held } from "./support/held.ts";

/** The full run has 1,000. With RESTART_SERVERS=1, RabbitMQ of scripts/services restarts too. */
const DOCUMENTS = Number(process.env["FAULT_DOCUMENTS"] ?? 30);
const PARAGRAPHS = 30;
const KILLS = 4;

let dataDir: string;
let server: Awaited<ReturnType<typeof testServerUrl>>;
let running: SpawnedServer;
const start = () =>
  spawnServer({
    DATA_DIR: dataDir,
    OPENAI_API_KEY: undefined,
    OPENAI_MODELS: undefined,
    // short, so that interrupted work restarts soon
    DOCUMENT_LEASE: "5000",
    NAMESPACE: `faults-${process.pid}`,
    ...(server && {
      DATABASE_URL: server.url,
      AMQP_URL: process.env["AMQP_URL"],
      REDIS_URL: process.env["REDIS_URL"],
    }),
  });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-ingest-"));
  server = await testServerUrl();
  running = await start();
});
afterAll(async () => {
  await running.kill();
  await server?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const textOf = (number: number) =>
  Array.from({ length: PARAGRAPHS }, (_, line) =>
    `Paragraph ${line} of document ${number} is about lighthouses. `.repeat(8),
  ).join("\n\n");

async function upload(number: number): Promise<string> {
  const form = new FormData();
  form.set("file", new Blob([textOf(number)]), `document-${number}.md`);
  const response = await fetch(`${running.url}/api/v1/documents`, {
    method: "POST",
    headers: running.authorization,
    body: form,
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

async function summary(): Promise<Record<string, number>> {
  const answer = await running.ask("/api/v1/documents/summary");
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, text]);
  return (JSON.parse(text) as { counts: Record<string, number> }).counts;
}

test(`${DOCUMENTS} documents end PROCESSED once each, with no chunk lost or twice, although the server is killed repeatedly`, async () => {
  const ids: string[] = [];
  for (let number = 0; number < DOCUMENTS; number += 1) ids.push(await upload(number));
  for (let kill = 1; kill <= KILLS; kill += 1) {
    // at a different moment of the work each time
    const least = Math.floor((DOCUMENTS * kill) / 8);
    await until(async () => ((await summary())["PROCESSED"] ?? 0) >= least);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
    await running.kill();
    running = await start();
    if (process.env["RESTART_SERVERS"] && kill === 2)
      await promisify(execFile)("scripts/services", ["restart", "rabbitmq"]);
  }
  await until(
    async () =>
      ((await summary())["PROCESSED"] ?? 0) + ((await summary())["FAILED"] ?? 0) ===
      DOCUMENTS,
  );
  expect(await summary()).toMatchObject({ PROCESSED: DOCUMENTS });
  for (const [number, id] of ids.entries()) {
    const { items, total } = (await (
      await running.ask(`/api/v1/documents/${id}/chunks?limit=100`)
    ).json()) as {
      items: { index: number; content: string }[];
      total: number;
    };
    expect(items.map(({ index }) => index)).toEqual(
      Array.from({ length: total }, (_, index) => index),
    );
    const joined = items.map(({ content }) => content).join("\n");
    for (let line = 0; line < PARAGRAPHS; line += 1)
      expect(joined).toContain(`Paragraph ${line} of document ${number} `);
  }
  held("killed-processes", KILLS);
  held("outbox", DOCUMENTS);
}, 1_800_000);

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 250));
}
