import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testServerUrl } from "../src/platform/testing/database.ts";
import { openQueue } from "../src/platform/queue/open-queue.ts";
import { silentLog } from "../src/platform/telemetry/log.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { spawnServer, type SpawnedServer } from "./support/spawned-server.ts";
import { held } from "./support/held.ts";

/**
 * Stops the servers of scripts/services, so it runs alone and only with RESTART_SERVERS=1.
 * RESTARTS: how often each.
 */
const { DATABASE_URL, AMQP_URL, REDIS_URL, RESTART_SERVERS } = process.env;
const RESTARTS = Number(process.env["RESTARTS"] ?? 1);
const WORKERS = 6;
const AWAY_MS = 4_000;
const RECOVERED_MS = 30_000;

const services = (...args: string[]) => promisify(execFile)("scripts/services", args);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let dataDir: string;
let server: Awaited<ReturnType<typeof testServerUrl>>;
let provider: ScriptedProvider;
let parlance: SpawnedServer;

interface Answer {
  at: number;
  tookMs: number;
  status: number;
  retryAfter: string | null;
  body: { conversationId?: string; content?: string; code?: string };
  content: string;
}

/** Sends requests continuously. */
function load() {
  const answers: Answer[] = [];
  let on = true;
  const worker = async (name: number) => {
    for (let index = 0; on; index += 1) {
      const content = `message ${name}/${index}/${Math.random()}`;
      const startedAt = performance.now();
      const response = await parlance.ask("/api/v1/conversation", {
        content,
        stream: false,
      });
      const body = (await response.json()) as Answer["body"];
      const at = performance.now();
      const retryAfter = response.headers.get("retry-after");
      answers.push({
        at,
        tookMs: at - startedAt,
        status: response.status,
        retryAfter,
        body,
        content,
      });
      if (response.status !== 200) await sleep(100);
    }
  };
  const working = Promise.all(Array.from({ length: WORKERS }, (_, name) => worker(name)));
  return {
    answers,
    async end() {
      on = false;
      await working;
    },
  };
}

const readiness = async () => (await fetch(`${parlance.url}/readyz`)).status;

/** The status of a new message while the workers may all wait for the end of a reply. */
const statusOfNew = async () => {
  const message = { content: "refused", stream: false };
  return (await parlance.ask("/api/v1/conversation", message)).status;
};

describeServers();

function describeServers() {
  const there = Boolean(DATABASE_URL && AMQP_URL && REDIS_URL && RESTART_SERVERS);
  beforeAll(async () => {
    if (!there) return;
    dataDir = await mkdtemp(join(tmpdir(), "parlance-restarts-"));
    server = await testServerUrl();
    provider = await startScriptedProvider(() => ({ text: ["some ", "words"] }));
    parlance = await spawnServer({
      DATA_DIR: dataDir,
      OPENAI_BASE_URL: provider.url,
      DATABASE_URL: server?.url,
      AMQP_URL,
      REDIS_URL,
      NAMESPACE: `restarts-${process.pid}`,
    });
  }, 60_000);
  afterAll(async () => {
    await parlance?.kill();
    await provider?.[Symbol.asyncDispose]();
    await server?.drop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  test
    .runIf(there)
    .for(
      Array.from({ length: RESTARTS }).flatMap((_, time) =>
        ["postgres", "rabbitmq", "redis"].map((name) => [name, time] as const),
      ),
    )(
    "%s away under load (time %s): refused clearly or done, whole again soon, nothing acknowledged lost",
    { timeout: 300_000 },
    async ([name]) => {
      const { answers, end } = load();
      await vi.waitFor(
        () => expect(answers.some(({ status }) => status === 200)).toBe(true),
        90_000,
      );
      await services("stop", name);
      const wentAt = performance.now();
      // the server stays ready without queue and cache, but not without its database
      if (name === "postgres") {
        await vi.waitFor(async () => expect(await readiness()).toBe(503), 90_000);
        expect(await statusOfNew()).toBe(503);
      }
      await sleep(AWAY_MS);
      await services("start", name);
      const backAt = performance.now();
      await vi.waitFor(async () => expect(await readiness()).toBe(200), RECOVERED_MS);
      await vi.waitFor(
        () =>
          expect(
            answers.filter(
              ({ at, tookMs, status }) => status === 200 && at - tookMs > backAt,
            ).length,
          ).toBeGreaterThan(WORKERS),
        RECOVERED_MS,
      );
      await sleep(1_000);
      await end();

      const refused = answers.filter(({ status }) => status !== 200);
      for (const { status, retryAfter, body } of refused) {
        // 502: the text before the fault is stored, and the reply reports the failure
        expect([status, body.code]).toEqual([
          expect.toBeOneOf([502, 503]),
          expect.any(String),
        ]);
        if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0);
      }
      expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(
        AWAY_MS + (backAt - wentAt) + RECOVERED_MS,
      );
      expect(
        refused.filter(({ at, tookMs }) => at - tookMs > backAt + RECOVERED_MS),
      ).toEqual([]);

      const acknowledged = answers.filter(({ status }) => status === 200);
      for (const { body, content } of acknowledged) {
        expect(body.content).toBe("some words");
        const kept = (await (
          await parlance.ask(`/api/v1/conversation/${body.conversationId}`)
        ).json()) as {
          messages: { content: string; status: string }[];
        };
        expect(kept.messages.map((message) => [message.content, message.status])).toEqual([
          [content, "complete"],
          ["some words", "complete"],
        ]);
      }
      // one reply and one title each
      await vi.waitFor(async () => {
        const { items } = (await (
          await parlance.ask("/api/v1/usage?groupBy=model")
        ).json()) as {
          items: { requests: number }[];
        };
        expect(items[0]?.requests).toBeGreaterThanOrEqual(acknowledged.length);
        expect(items[0]?.requests).toBe(provider.requests.length);
      }, 90_000);
      held("lost-servers");
      console.log(
        `${name}: ${acknowledged.length} replies, ${refused.length} refused ` +
          `(${[...new Set(refused.map(({ status, body }) => `${status} ${body.code}`))].join(", ")}), longest ${Math.round(Math.max(...answers.map(({ tookMs }) => tookMs)))} ms, ` +
          `first after its return ${Math.round(Math.min(...acknowledged.filter(({ at }) => at > backAt).map(({ at }) => at - backAt)))} ms`,
      );
    },
  );

  test.runIf(there)(
    "a message whose delay ends while RabbitMQ is away arrives after its return",
    { timeout: 300_000 },
    async () => {
      const options = {
        amqpUrl: AMQP_URL ?? "",
        serviceSecret: "secret of the test",
        namespace: `waits-${process.pid}`,
        log: silentLog(),
      };
      await using queue = await openQueue(options);
      const arrived: unknown[] = [];
      await queue.consume("delayed", async ({ data }) => void arrived.push(data));
      const delays = [500, 1_000, 2_000, 4_000, 8_000, 16_000];
      for (const delayMs of delays) await queue.publish("delayed", delayMs, { delayMs });
      await services("stop", "rabbitmq");
      await sleep(AWAY_MS);
      await services("start", "rabbitmq");
      await vi.waitFor(
        () => expect(new Set(arrived)).toEqual(new Set(delays)),
        2 * RECOVERED_MS,
      );
    },
  );
}
