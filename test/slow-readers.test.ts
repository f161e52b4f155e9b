import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testServerUrl } from "../src/platform/testing/database.ts";
import {
  type FakeProvider,
  startFakeProvider,
} from "./support/fake-provider/start-fake-provider.ts";
import { createInspector, type Inspector } from "./support/process-usage.ts";
import { spawnServer, type SpawnedServer } from "./support/spawned-server.ts";
import { held } from "./support/held.ts";

const READERS = 60;
/** Close to the longest possible reply. */
const REPLY_CHARACTERS = 3_900_000;
const PIECE = "x".repeat(1_000);

let dataDir: string;
let server: Awaited<ReturnType<typeof testServerUrl>>;
let provider: FakeProvider;
let parlance: SpawnedServer;
let inspector: Inspector;
beforeAll(async () => {
  inspector = await createInspector();
  dataDir = await mkdtemp(join(tmpdir(), "parlance-slow-"));
  server = await testServerUrl();
  provider = await startFakeProvider({
    wire: "openai",
    replies: () => ({
      steps: Array.from({ length: REPLY_CHARACTERS / PIECE.length }, () => ({
        text: PIECE,
      })),
    }),
  });
  parlance = await spawnServer({
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: provider.url,
    DATABASE_URL: server?.url,
    ...inspector.env,
    NAMESPACE: `slow-${process.pid}`,
  });
});
afterAll(async () => {
  await parlance.kill();
  await provider[Symbol.asyncDispose]();
  await server?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Sends a request, reads the headers, and then one byte a second. */
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

test("readers at a byte a second each hold little of a very long reply in memory", async () => {
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
  // what is loaded and cached on first use is not held by the reader
  (await slowReader(path)).destroy();
  const before = await inspector.heldBytes();
  const readers = await Promise.all(
    Array.from({ length: READERS }, () => slowReader(path)),
  );
  const kilobytes: number[] = [];
  for (let look = 0; look < 4; look += 1) {
    kilobytes.push(((await inspector.heldBytes()) - before) / READERS / 1024);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(Math.max(...kilobytes)).toBeLessThan(256);
  held("slow-readers", READERS);
  for (const reader of readers) reader.destroy();
});
