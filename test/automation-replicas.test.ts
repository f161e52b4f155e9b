import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { testServerUrl } from "../src/platform/testing/database.ts";
import type { RunSummary } from "../src/services/automations/contract-runs.ts";
import { agentNameOf, automationsOf } from "./support/automations.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";

const servers = ["DATABASE_URL", "AMQP_URL", "REDIS_URL"].every(
  (name) => process.env[name],
);

describe.skipIf(!servers)("two replicas on one PostgreSQL, RabbitMQ and Redis", () => {
  let provider: ScriptedProvider;
  let dataDir: string;
  let server: Awaited<ReturnType<typeof testServerUrl>>;
  let one: TestServer;
  let two: TestServer;
  beforeAll(async () => {
    provider = await startScriptedProvider((_, { messages }) => ({
      text: [`by ${agentNameOf(messages)}`],
      delayMs: 50,
    }));
    dataDir = await mkdtemp(join(tmpdir(), "parlance-replicas-"));
    server = await testServerUrl();
    const env = {
      DATABASE_URL: server?.url ?? "",
      NAMESPACE: `replicas-${process.pid}`,
      DATA_DIR: dataDir,
      ...settingsOf(provider),
    };
    one = await startTestServer(env);
    two = await startTestServer(env);
  }, 120_000);
  afterAll(async () => {
    await two[Symbol.asyncDispose]();
    await one[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    await server?.drop();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  test("each agent of each run is called once, on either replica, and a run is visible and cancellable on both", async () => {
    const [here, there] = [automationsOf(one, one.token), automationsOf(two, one.token)];
    const [first, second] = [await here.agent("first"), await here.agent("second")];
    await here.rule({
      type: "text/plain",
      agents: [first, { id: second, depends_on: [first] }],
    });
    const taken = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? here : there).send(`words ${index}`, `${index}.txt`),
      ),
    );
    for (const [index, { body }] of taken.entries())
      expect(
        (await (index % 2 === 0 ? there : here).ended(body.runId, 60_000)).status,
      ).toBe("completed");
    for (const name of ["first", "second"])
      expect(
        provider.requests.filter(({ messages }) => agentNameOf(messages) === name).length,
      ).toBe(12);

    provider.answer(() => ({
      text: Array.from({ length: 5_000 }, () => "word "),
      delayMs: 20,
    }));
    const { body } = await here.send("slow", "slow.txt");
    const aborted = provider.aborted;
    await vi.waitFor(
      async () =>
        expect((await there.run(body.runId)).agents[0]?.conversationId).toBeTruthy(),
      90_000,
    );
    expect(
      (await there.ask("POST", `/api/automations/runs/${body.runId}/cancel`)).body,
    ).toMatchObject({ status: "cancelled" });
    await vi.waitFor(() => expect(provider.aborted).toBe(aborted + 1), 90_000);
    provider.answer(() => ({ text: ["done"] }));
  }, 120_000);

  test("a schedule's tick starts one run", async () => {
    const here = automationsOf(one, one.token);
    const agents = [await here.agent("minutely")];
    const schedule = { name: "Minutely", cron: "* * * * *", input: "go", agents };
    const { id } = (await here.ask("POST", "/api/automations/schedules", schedule)).body;
    const runs = async () =>
      (
        await here.get<{ items: RunSummary[] }>(
          `/api/automations/runs?scheduleId=${String(id)}`,
        )
      ).items;
    await vi.waitFor(
      async () =>
        expect((await runs()).some(({ status }) => status === "completed")).toBe(true),
      {
        timeout: 90_000,
        interval: 500,
      },
    );
    const minutes = (await runs()).map(({ createdAt }) => createdAt.slice(0, 16));
    expect(new Set(minutes).size).toBe(minutes.length);
  }, 120_000);
});
