import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { held } from "./support/held.ts";
import { createInspector, type Inspector, openFiles } from "./support/process-usage.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { type SpawnedServer, spawnServer } from "./support/spawned-server.ts";

const MINUTES = Number(process.env["LONG_RUN_MINUTES"] ?? 0);
/** After this many minutes caches are full and code is compiled. */
const WARM_UP_MS = Math.min(MINUTES * 60_000, 10 * 60_000);
const WORKERS = 4;
/** The growth that caches may have after the warm-up, in total and per minute. */
const MAX_GROWTH_BYTES = 12 * 2 ** 20;
const MAX_GROWTH_BYTES_PER_MINUTE = 2 ** 20 / 10;
/** Connections that stay open for a while, and files that are being read. */
const MAX_MORE_OPEN_FILES = 20;

describe.skipIf(MINUTES === 0)(`${MINUTES} minutes of mixed load`, () => {
  let dataDir: string;
  let provider: ScriptedProvider;
  let parlance: SpawnedServer;
  let inspector: Inspector;
  beforeAll(async () => {
    inspector = await createInspector();
    dataDir = await mkdtemp(join(tmpdir(), "parlance-long-"));
    provider = await startScriptedProvider(() => ({ text: ["some ", "words"] }));
    parlance = await spawnServer({
      DATA_DIR: dataDir,
      OPENAI_BASE_URL: provider.url,
      ACCESS_TOKEN_TTL: "86400000",
      ...inspector.env,
    });
  }, 120_000);
  afterAll(async () => {
    await parlance.kill();
    await provider[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  const send = async (method: string, path: string, body?: object | FormData) => {
    const isForm = body instanceof FormData;
    const response = await fetch(parlance.url + path, {
      method,
      headers: {
        ...parlance.authorization,
        ...(!isForm && { "content-type": "application/json" }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    expect([method, path, response.status < 500, text.slice(0, 300)]).toEqual([
      method,
      path,
      true,
      text.slice(0, 300),
    ]);
    return text;
  };
  const make = async (path: string, body: object | FormData) =>
    JSON.parse(await send("POST", path, body)) as Record<string, string>;

  /** Uses a little of everything, and deletes what it creates. */
  async function useEverything(round: string): Promise<void> {
    const { conversationId } = await make("/api/v1/conversation", {
      content: round,
      stream: false,
    });
    await send("POST", "/api/v1/conversation", {
      conversationId,
      content: `${round} streamed`,
    });
    await send("GET", `/api/v1/conversation/${conversationId}/stream`);
    const canvas = await make("/api/v1/canvas", { title: round, content: `# ${round}` });
    await send("GET", `/api/v1/canvas/${canvas["id"]}/export?fileType=pdf`);
    const form = new FormData();
    form.set("file", new File([`text of ${round}`], "notes.txt", { type: "text/plain" }));
    const document = await make("/api/v1/documents", form);
    await send("GET", "/api/v1/conversation/search?query=streamed");
    await send("GET", "/api/v1/agent?limit=10");
    await send("POST", "/api/v1/auth/login", {
      email: "nobody@test.example",
      password: round,
    });
    await send("GET", "/metrics");
    await send("DELETE", `/api/v1/documents/${document["id"]}`);
    await send("DELETE", `/api/v1/canvas/${canvas["id"]}`);
    await send("DELETE", `/api/v1/conversation/${conversationId}`);
  }

  async function loadFor(ms: number): Promise<number> {
    const end = Date.now() + ms;
    let rounds = 0;
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        while (Date.now() < end) await useEverything(`round ${(rounds += 1)}`);
      }),
    );
    return rounds;
  }

  const usage = async () => ({
    bytes: await inspector.heldBytes(),
    // the embedded database keeps the files of each table open, and has more when it was vacuumed
    files: await openFiles(parlance.child.pid ?? 0, join(dataDir, "database")),
  });

  test(
    "memory and open files stay the same",
    async () => {
      await loadFor(WARM_UP_MS);
      const before = await usage();
      const rounds = await loadFor(MINUTES * 60_000);
      const after = await usage();
      const megabytes = ((after.bytes - before.bytes) / 2 ** 20).toFixed(1);
      console.log(
        `${rounds} rounds: ${megabytes} MB and ${after.files - before.files} files more`,
      );
      const maxGrowth = MAX_GROWTH_BYTES + MINUTES * MAX_GROWTH_BYTES_PER_MINUTE;
      expect(after.bytes - before.bytes).toBeLessThan(maxGrowth);
      expect(after.files - before.files).toBeLessThan(MAX_MORE_OPEN_FILES);
      held("long-runs", MINUTES);
    },
    (MINUTES + 20) * 120_000,
  );
});
