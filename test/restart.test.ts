import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { held } from "./support/held.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { ended, spawnServer, type SpawnedServer } from "./support/spawned-server.ts";
import { BASELINE, commandEnv } from "./support/command.ts";

let dataDir: string;
let provider: ScriptedProvider;
let running: SpawnedServer;

const start = () => spawnServer({ DATA_DIR: dataDir, OPENAI_BASE_URL: provider.url });
const ask = async (path: string, body?: object, headers?: Record<string, string>) =>
  running.ask(path, body, headers);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-restart-"));
  provider = await startScriptedProvider();
  running = await start();
});
afterAll(async () => {
  await running.kill();
  await provider[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

/** @returns the stored text of a conversation's reply. */
async function replyOf(conversationId = ""): Promise<string> {
  const response = await ask(`/api/v1/conversation/${conversationId}`);
  const { messages } = (await response.json()) as { messages: { content: string }[] };
  return messages[1]?.content ?? "";
}

test("after kill -9 every acknowledged conversation exists, and a reply in progress ends as failed with its text", async () => {
  provider.answer(() => ({ text: ["kept"] }));
  const key = { "idempotency-key": "asked before the kill" };
  const askOnce = (content: string) =>
    ask("/api/v1/conversation", { content, stream: false }, key);
  const done = (await (await askOnce("before")).json()) as { conversationId: string };
  provider.answer(() => ({
    text: Array.from({ length: 10_000 }, () => "word "),
    delayMs: 20,
  }));
  const cut = await ask("/api/v1/conversation", { content: "cut off" });
  const first = Buffer.from((await cut.body?.getReader().read())?.value ?? []).toString();
  const cutId = /conversationId":"([^"]+)/.exec(first)?.[1];
  // its text is saved while it is generated
  await vi.waitFor(async () => expect(await replyOf(cutId)).toContain("word"), 90_000);
  await running.kill();

  provider.answer(() => ({ text: ["again"] }));
  running = await start();
  const kept = (await (
    await ask(`/api/v1/conversation/${done.conversationId}`)
  ).json()) as {
    messages: { content: string; status: string }[];
  };
  expect(kept.messages.map(({ content, status }) => [content, status])).toEqual([
    ["before", "complete"],
    ["kept", "complete"],
  ]);
  const again = await askOnce("before");
  expect([again.status, await again.json()]).toEqual([200, done]);
  expect((await askOnce("another")).status).toBe(409);
  held("double-submits", 2);
  await vi.waitFor(
    async () => {
      const { messages } = (await (await ask(`/api/v1/conversation/${cutId}`)).json()) as {
        messages: { content: string; status: string }[];
      };
      expect(messages[1]?.status).toBe("failed");
      expect(messages[1]?.content).toContain("word");
    },
    { timeout: 90_000, interval: 1_000 },
  );
});

test("after SIGTERM the server completes a reply and exits", async () => {
  provider.answer(() => ({ text: Array.from({ length: 20 }, () => "slow "), delayMs: 50 }));
  const response = await ask("/api/v1/conversation", { content: "last words" });
  running.child.kill("SIGTERM");
  const exit = ended(running.child);
  expect(await response.text()).toContain("event: done");
  expect(await exit).toBe(0);
  running = await start();
});

test("a second process on the same data folder is refused with a sentence", async () => {
  const child = spawn(process.execPath, [...BASELINE, "src/main.ts", "serve"], {
    env: { ...commandEnv(), PORT: "0", DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  expect(await ended(child)).toBe(1);
  expect(said).toMatch(/already uses the data folder/);
});

test("all wrong variables are named at once, and no secret is repeated", async () => {
  const child = spawn(process.execPath, [...BASELINE, "src/main.ts", "serve"], {
    env: {
      ...commandEnv(),
      PORT: "many",
      LOG_LEVEL: "loud",
      DATABASE_URL: "nonsense",
      MCP_SERVICE_SECRET: "short-secret",
      MCP_SERVERS: '[{"name":"x","url":"http://a","command":"sh"}]',
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  expect(await ended(child)).toBe(1);
  for (const name of [
    "PORT",
    "LOG_LEVEL",
    "DATABASE_URL",
    "MCP_SERVICE_SECRET",
    "MCP_SERVERS",
  ])
    expect(said).toContain(name);
  expect(said).toContain("never a command");
  expect(said).not.toContain("short-secret");
});

test("a service alone names every wrong value, missing address and missing secret at once", async () => {
  const child = spawn(process.execPath, [...BASELINE, "src/main.ts", "serve", "agent"], {
    env: {
      ...commandEnv(),
      PORT: "many",
      HOST: "not a host",
      SERVICE_SECRET: "a secret with spaces in it",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  expect(await ended(child)).toBe(1);
  const wrong = ["PORT", "HOST", "SERVICE_SECRET"];
  const missing = [
    "COMPLETION_SERVICE_URL",
    "MCP_SERVICE_URL",
    "MCP_SERVICE_SECRET",
    "COMPLETION_SERVICE_SECRET",
  ];
  for (const name of [...wrong, ...missing])
    expect(said).toMatch(new RegExp(`^  ${name}: `, "m"));
});

test("a data folder that cannot be written is named at once", async () => {
  const child = spawn(process.execPath, [...BASELINE, "src/main.ts", "serve"], {
    env: { ...commandEnv(), DATA_DIR: "/proc/nowhere", PORT: "0" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  expect(await ended(child)).toBe(1);
  expect(said).toMatch(/folder \/proc\/nowhere cannot be written .* Set DATA_DIR/);
});

test("with a port chosen by the system, the log says where to sign in", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parlance-port-"));
  const env = {
    ...commandEnv(),
    DATA_DIR: folder,
    PORT: "0",
    LOG_LEVEL: "fatal",
  };
  const child = spawn(process.execPath, [...BASELINE, "src/main.ts", "serve"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const url = await vi.waitFor(() => {
    const ready = /Parlance is ready at (http:\/\/127.0.0.1:\d+)/.exec(said)?.[1];
    if (!ready) throw new Error(`not ready: ${said}`);
    return ready;
  }, 150_000);
  expect(said).toContain(`Open ${url} in your browser, and sign in`);
  const gone = ended(child);
  child.kill("SIGKILL");
  await gone;
  await rm(folder, { recursive: true, force: true });
});
