import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { agentNameOf, automationsOf } from "./support/automations.ts";
import {
  type FakeProvider,
  startFakeProvider,
} from "./support/fake-provider/start-fake-provider.ts";
import { ended, spawnServer, type SpawnedServer } from "./support/spawned-server.ts";

let dataDir: string;
let provider: FakeProvider;
let running: SpawnedServer;
let slow = true;
/** Names of the agents whose replies were completed. */
const toTheEnd: string[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-automations-"));
  provider = await startFakeProvider({
    wire: "openai",
    replies({ body, ended }) {
      const name = agentNameOf(
        (body as { messages: { role: string; content: unknown }[] }).messages,
      ); // what our own client wrote
      void ended.then((how) => how === "complete" && toTheEnd.push(name));
      const pieces = slow && (name === "second" || name === "third") ? 2_000 : 2;
      return {
        steps: Array.from({ length: pieces }).flatMap(() => [
          { text: `${name} ` },
          { pauseMs: 20 },
        ]),
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  });
  running = await spawnServer({
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: provider.url,
    SHUTDOWN_TIMEOUT: "2000",
  });
});
afterAll(async () => {
  await running.kill();
  await provider[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});
const person = () =>
  automationsOf(
    {
      url: running.url,
      request: (path, { method, body } = {}) =>
        fetch(running.url + path, request(method, body)),
    },
    running.authorization.authorization.slice("Bearer ".length),
  );
const request = (method: string | undefined, body: unknown) => ({
  method: method ?? (body === undefined ? "GET" : "POST"),
  headers: { ...running.authorization, "content-type": "application/json" },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

test("after a kill during five agents the run ends soon after the restart, and no agent completes twice", async () => {
  const names = ["first", "second", "third", "fourth", "fifth"];
  const ids = [];
  for (const name of names) ids.push(await person().agent(name));
  const [first, second, third, fourth, fifth] = ids;
  await person().rule({
    agents: [
      first,
      { id: second, depends_on: [first] },
      { id: third, depends_on: [first] },
      { id: fourth, depends_on: [second, third] },
      { id: fifth, depends_on: [fourth] },
    ],
  });
  const { body } = await person().send("words", "a.txt");
  await vi.waitFor(
    async () => {
      const { agents } = await person().run(body.runId);
      expect(agents.map(({ status }) => status)).toEqual([
        "completed",
        "running",
        "running",
        "waiting",
        "waiting",
      ]);
      expect(
        agents.slice(1, 3).every(({ conversationId }) => conversationId !== null),
      ).toBe(true);
    },
    { timeout: 90_000, interval: 100 },
  );
  await running.kill();
  slow = false;
  running = await spawnServer({
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: provider.url,
    SHUTDOWN_TIMEOUT: "2000",
  });
  const run = await person().ended(body.runId, 100_000);
  expect(run).toMatchObject({ status: "completed", error: null });
  expect(
    run.agents.map(({ status, output, tries }) => [status, output?.trim(), tries]),
  ).toEqual([
    ["completed", "first first", 1],
    ["completed", "second second", 2],
    ["completed", "third third", 2],
    ["completed", "fourth fourth", 1],
    ["completed", "fifth fifth", 1],
  ]);
  expect(toTheEnd.filter((name) => names.includes(name)).sort()).toEqual([...names].sort());
}, 180_000);

test("after a SIGTERM during a slow agent the run continues at the next start", async () => {
  slow = true;
  const agent = await person().agent("second");
  const rule = await person().rule({ type: "long", agents: [agent] });
  const { body } = await person().send("words", "b.txt", { type: "long" });
  expect(body.ruleId).toBe(rule);
  await vi.waitFor(
    async () =>
      expect((await person().run(body.runId)).agents[0]?.conversationId).toBeTruthy(),
    90_000,
  );
  const exit = ended(running.child);
  running.child.kill("SIGTERM");
  expect(await exit).toBe(0);
  slow = false;
  running = await spawnServer({
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: provider.url,
    SHUTDOWN_TIMEOUT: "2000",
  });
  expect(await person().ended(body.runId, 60_000)).toMatchObject({
    status: "completed",
    agents: [{ status: "completed", output: "second second ", tries: 2 }],
  });
});
