import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyTemplate, testServerUrl } from "../src/platform/testing/database.ts";
import {
  type FakeProvider,
  startFakeProvider,
} from "./support/fake-provider/start-fake-provider.ts";
import { freePort } from "./support/free-port.ts";
import { spawnServer, type SpawnedServer } from "./support/spawned-server.ts";
import { held } from "./support/held.ts";

const READERS = 60;
/** Near the longest that a reply may be. */
const REPLY_CHARACTERS = 3_900_000;
const PIECE = "x".repeat(1_000);

let dataDir: string;
let server: Awaited<ReturnType<typeof testServerUrl>>;
let provider: FakeProvider;
let parlance: SpawnedServer;
let inspector: number;
beforeAll(async () => {
  inspector = await freePort();
  dataDir = await mkdtemp(join(tmpdir(), "parlance-slow-"));
  server = await testServerUrl();
  if (!server) await copyTemplate(dataDir);
  provider = await startFakeProvider({
    wire: "openai",
    replies: () => ({
      steps: Array.from({ length: REPLY_CHARACTERS / PIECE.length }, () => ({ text: PIECE })),
    }),
  });
  parlance = await spawnServer({
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: provider.url,
    DATABASE_URL: server?.url,
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}`,
    NAMESPACE: `slow-${process.pid}`,
  });
}, 60_000);
afterAll(async () => {
  await parlance.kill();
  await provider[Symbol.asyncDispose]();
  await server?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Bytes that the process holds after a full collection of garbage, as its inspector tells. */
async function heldBytes(): Promise<number> {
  const [target] = (await (await fetch(`http://127.0.0.1:${inspector}/json/list`)).json()) as {
    webSocketDebuggerUrl: string;
  }[]; // Node's inspector
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const call = (id: number, method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        const message = JSON.parse(String(data)) as { id: number; result: unknown }; // the inspector's protocol
        if (message.id === id) resolve(message.result);
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  await call(1, "HeapProfiler.enable");
  await call(2, "HeapProfiler.collectGarbage");
  await call(3, "HeapProfiler.collectGarbage");
  const expression = "JSON.stringify(process.memoryUsage())";
  const { result } = (await call(4, "Runtime.evaluate", { expression })) as {
    result: { value: string };
  };
  socket.close();
  const { heapUsed, external } = JSON.parse(result.value) as NodeJS.MemoryUsage;
  return heapUsed + external;
}

/** Asks, reads the head, and then one byte a second. */
function slowReader(path: string): Promise<Socket> {
  const { hostname, port } = new URL(parlance.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname });
    socket.once("error", reject);
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${parlance.authorization.authorization}\r\n\r\n`,
    );
    socket.once("readable", () => {
      const timer = setInterval(() => socket.read(1), 1_000);
      socket.once("close", () => clearInterval(timer));
      resolve(socket);
    });
  });
}

test("readers at a byte a second of a reply that is very long hold little of it each", async () => {
  const response = await parlance.ask("/api/v1/conversation", {
    content: "Tell me everything.",
    stream: false,
  });
  const { conversationId, content } = (await response.json()) as {
    conversationId: string;
    content: string;
  };
  expect(content).toHaveLength(REPLY_CHARACTERS);
  const path = `/api/v1/conversation/${conversationId}/stream`;
  // what is loaded and cached at the first time is not the reader's
  (await slowReader(path)).destroy();
  const before = await heldBytes();
  const readers = await Promise.all(Array.from({ length: READERS }, () => slowReader(path)));
  const kilobytes: number[] = [];
  for (let look = 0; look < 4; look += 1) {
    kilobytes.push(((await heldBytes()) - before) / READERS / 1024);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(Math.max(...kilobytes)).toBeLessThan(256);
  held("slow-readers", READERS);
  for (const reader of readers) reader.destroy();
}, 120_000);
