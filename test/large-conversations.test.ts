import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { held } from "./support/held.ts";
import { heapBytes } from "./support/measure-server.ts";
import { type SpawnedServer, spawnServer } from "./support/spawned-server.ts";

/** Several readers of all of them need more memory than the heap may grow by. */
const QUESTIONS = 24;
const CONTENT = "ab cd ".repeat(166_000);
const MAX_HEAP_GROWTH_BYTES = 64 * 1024 * 1024;
const READERS = 4;
/** As `docs/limits.md` says, and a last message that is whole. */
const MAX_PAGE_CHARACTERS = 5_000_000;
/** Without a provider, the built-in offline model replies. */
const OFFLINE = { OPENAI_API_KEY: undefined, OPENAI_MODELS: undefined };

let server: SpawnedServer;
let dataDir: string;
let conversationId: string | undefined;
let path: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-large-conversations-"));
  const idle = await spawnServer({ DATA_DIR: dataDir, ...OFFLINE });
  const heap = await heapBytes(idle);
  await idle.kill();
  const limit = Math.ceil((heap + MAX_HEAP_GROWTH_BYTES) / 2 ** 20);
  // a request that needs more ends the process
  const env = { NODE_OPTIONS: `--max-old-space-size=${limit}` };
  server = await spawnServer({ DATA_DIR: dataDir, ...OFFLINE, ...env });
  for (let count = 0; count < QUESTIONS; count += 1)
    conversationId = (await say()).conversationId;
  path = `/api/v1/conversation/${conversationId}`;
}, 600_000);
afterAll(async () => {
  await server.kill();
  await rm(dataDir, { recursive: true, force: true });
});

async function say() {
  const body = { content: CONTENT, stream: false, conversationId };
  const answer = await server.ask("/api/v1/conversation", body);
  expect(answer.status).toBe(200);
  return (await answer.json()) as { conversationId: string };
}

async function isAlive(): Promise<void> {
  expect(server.child.exitCode).toBeNull();
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
}

/** Asks several times at once. @returns the different answers. */
async function askAtOnce(url: string): Promise<unknown[]> {
  const headers = server.authorization;
  const ask = async () => {
    const answer = await fetch(url, { headers });
    const { code } = (await answer.json()) as { code?: string };
    return `${answer.status} ${code}`;
  };
  return [...new Set(await Promise.all(Array.from({ length: READERS }, ask)))];
}

test.each([
  ["one", () => server.url + path],
  [
    "several",
    () => `${server.internalUrl}/api/v1/conversation/multiple?ids=${conversationId}`,
  ],
])("more messages than fit into an answer are refused: %s", async (_, urlOf) => {
  expect(await askAtOnce(urlOf())).toEqual(["413 conversation_too_large"]);
  await isAlive();
  held("event-loop");
});

interface Page {
  items: { id: string; content: string }[];
  before: string | null;
}

test("pages hold what fits, and together every message", async () => {
  const ids = new Set<string>();
  let before: string | null | undefined;
  while (before !== null) {
    const query = `limit=100${before ? `&before=${before}` : ""}`;
    const page = (await (await server.ask(`${path}/messages?${query}`)).json()) as Page;
    const size = page.items.reduce((sum, { content }) => sum + content.length, 0);
    expect(size).toBeLessThan(MAX_PAGE_CHARACTERS);
    for (const { id } of page.items) ids.add(id);
    ({ before } = page);
  }
  expect(ids.size).toBe(2 * QUESTIONS);
  await isAlive();
  held("event-loop");
});

test("a reply reads only what the model's context has room for", async () => {
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      const body = { content: "And?", parentMessageId: await newestMessage() };
      const answer = await server.ask("/api/v1/conversation", {
        ...body,
        conversationId,
        stream: false,
      });
      expect(answer.status).toBe(200);
    }),
  );
  await isAlive();
  held("event-loop");
});

async function newestMessage(): Promise<string | undefined> {
  const answer = await server.ask(`${path}/messages?limit=1`);
  return ((await answer.json()) as Page).items[0]?.id;
}
