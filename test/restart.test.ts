import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ScriptedProvider, startScriptedProvider } from "./support/scripted-provider.ts";
import { ADMIN } from "./support/house.ts";

/** A Parlance in a process of its own, as `npm start` runs it, on embedded defaults. */
let dataDir: string;
let provider: ScriptedProvider;
let running: { child: ChildProcess; url: string };

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ["src/main.ts", "serve"], {
    env: {
      PATH: process.env["PATH"],
      PORT: "0",
      DATA_DIR: dataDir,
      LOG_LEVEL: "fatal",
      PARLANCE_ADMIN_EMAIL: ADMIN.email,
      PARLANCE_ADMIN_PASSWORD: ADMIN.password,
      OPENAI_API_KEY: "k",
      OPENAI_BASE_URL: provider.url,
      OPENAI_MODELS: "gpt-test",
      OUTGOING_ALLOW: "127.0.0.0/8",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const url = await vi.waitFor(() => {
    const ready = /Parlance is ready at (\S+)/.exec(out)?.[1];
    if (!ready) throw new Error(`not ready: ${out}`);
    return ready;
  }, 30_000);
  return { child, url };
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once("exit", resolve));
const signIn = async () => {
  const response = await fetch(`${running.url}/api/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(ADMIN),
  });
  return ((await response.json()) as { accessToken: string }).accessToken;
};
const ask = async (path: string, body?: object) => {
  const headers = { authorization: `Bearer ${await signIn()}`, "content-type": "application/json" };
  return fetch(running.url + path, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-restart-"));
  provider = await startScriptedProvider();
  running = await start();
});
afterAll(async () => {
  running.child.kill("SIGKILL");
  await provider[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

test("after kill -9 every acknowledged conversation is there, and a reply that was being made ends as failed with its text", async () => {
  provider.answer(() => ({ text: ["kept"] }));
  const done = (await (await ask("/api/v1/conversation", { content: "before", stream: false })).json()) as {
    conversationId: string;
  };
  provider.answer(() => ({ text: Array.from({ length: 1_000 }, () => "word "), delayMs: 20 }));
  const cut = await ask("/api/v1/conversation", { content: "cut off" });
  const first = Buffer.from((await cut.body?.getReader().read())?.value ?? []).toString();
  const cutId = /conversationId":"([^"]+)/.exec(first)?.[1];
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  running.child.kill("SIGKILL");
  await ended(running.child);

  provider.answer(() => ({ text: ["again"] }));
  running = await start();
  const kept = (await (await ask(`/api/v1/conversation/${done.conversationId}`)).json()) as {
    messages: { content: string; status: string }[];
  };
  expect(kept.messages.map(({ content, status }) => [content, status])).toEqual([
    ["before", "complete"],
    ["kept", "complete"],
  ]);
  await vi.waitFor(
    async () => {
      const { messages } = (await (await ask(`/api/v1/conversation/${cutId}`)).json()) as {
        messages: { content: string; status: string }[];
      };
      expect(messages[1]?.status).toBe("failed");
      expect(messages[1]?.content).toContain("word");
    },
    { timeout: 40_000, interval: 1_000 },
  );
}, 90_000);

test("SIGTERM lets a reply end and then exits by itself", async () => {
  provider.answer(() => ({ text: Array.from({ length: 20 }, () => "slow "), delayMs: 50 }));
  const response = await ask("/api/v1/conversation", { content: "last words" });
  running.child.kill("SIGTERM");
  const exit = ended(running.child);
  expect(await response.text()).toContain("event: done");
  expect(await exit).toBe(0);
  running = await start();
}, 60_000);

test("a second process on the same data folder is refused with a sentence", async () => {
  const child = spawn(process.execPath, ["src/main.ts", "serve"], {
    env: { PATH: process.env["PATH"], PORT: "0", DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  expect(await ended(child)).toBe(1);
  expect(said).toMatch(/already uses the data folder/);
});

test("every wrong variable is named at once, and no secret is repeated", async () => {
  const child = spawn(process.execPath, ["src/main.ts", "serve"], {
    env: {
      PATH: process.env["PATH"],
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
  for (const name of ["PORT", "LOG_LEVEL", "DATABASE_URL", "MCP_SERVICE_SECRET", "MCP_SERVERS"]) expect(said).toContain(name);
  expect(said).toContain("never a command to run");
  expect(said).not.toContain("short-secret");
});
