import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { ended, spawnServer, type SpawnedServer } from "./support/spawned-server.ts";
import { held } from "./support/held.ts";

let dataDir: string;
let provider: ScriptedProvider;
let parlance: SpawnedServer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-shutdown-"));
  provider = await startScriptedProvider(() => ({
    text: ["begun ", "and "],
    fault: "stall",
    faultAfter: 1,
  }));
  parlance = await spawnServer({
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: provider.url,
    COMPLETION_SERVICE_SECRET: "the-secret-of-the-completion-service",
    SHUTDOWN_TIMEOUT: "1000",
  });
});
afterAll(async () => {
  await parlance.kill();
  await provider[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

const messages = [{ role: "user", content: "hello" }];
const completionSecret = { authorization: "Bearer the-secret-of-the-completion-service" };
const asked: {
  what: string;
  path: string;
  body: object;
  headers?: Record<string, string>;
}[] = [
  {
    what: "a run",
    path: "/api/v1/agent/run",
    body: { model: "openai/gpt-test", messages },
  },
  {
    what: "a run as JSON",
    path: "/api/v1/agent/run",
    body: { model: "openai/gpt-test", messages, stream: false },
  },
  {
    what: "a completion",
    path: "/api/v1/completions",
    body: { model: "openai/gpt-test", messages },
    headers: completionSecret,
  },
  {
    what: "a completion in one line",
    path: "/api/v1/completions",
    body: { model: "openai/gpt-test", messages, stream: false },
    headers: completionSecret,
  },
  {
    what: "a chat completion",
    path: "/v1/chat/completions",
    body: { model: "openai/gpt-test", messages, stream: true },
  },
  {
    what: "a chat completion as JSON",
    path: "/v1/chat/completions",
    body: { model: "openai/gpt-test", messages },
  },
  { what: "a conversation", path: "/api/v1/conversation", body: { content: "hello" } },
  {
    what: "a conversation as JSON",
    path: "/api/v1/conversation",
    body: { content: "hello", stream: false },
  },
];
/** A hundred in all. A user has a limit on concurrent conversations. */
const all = asked.flatMap((one) =>
  Array.from({ length: one.path.endsWith("/conversation") ? 8 : 14 }, () => one),
);

test("work in progress at the end of the shutdown time ends with shutting_down, and nothing is truncated", async () => {
  const answers = all.map(async ({ what, path, body, headers }) => {
    const response = await parlance.ask(path, body, headers);
    const type = response.headers.get("content-type") ?? "";
    return {
      what,
      status: response.status,
      json: type.startsWith("application/json"),
      text: await response.text(),
    };
  });
  await vi.waitFor(
    () => expect(provider.requests.length).toBeGreaterThanOrEqual(all.length),
    90_000,
  );
  const exit = ended(parlance.child);
  parlance.child.kill("SIGTERM");
  for (const { what, status, json, text } of await Promise.all(answers)) {
    if (json)
      expect({ what, status, text }).toEqual({
        what,
        status: 503,
        text: expect.stringContaining('"shutting_down"'),
      });
    else {
      const last = text.trimEnd().split("\n").at(-1) ?? "";
      expect({ what, last, begun: text.includes("begun") }).toEqual({
        what,
        last: expect.stringContaining('"shutting_down"'),
        begun: true,
      });
      expect(text.match(/"shutting_down"/g), what).toHaveLength(1);
    }
  }
  expect(await exit).toBe(0);
  held("shutdown", all.length);
});

test("an uncaught error is logged, reported to waiting clients, and ends the process with 1", async () => {
  // thrown by a timer in our code, on request of the test
  const fault =
    'process.on("SIGUSR2", () => setTimeout(() => { throw new Error("a timer threw"); }));';
  const falling = await spawnServer({
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: provider.url,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
  });
  const asked = provider.requests.length;
  const answer = falling
    .ask("/api/v1/agent/run", { model: "openai/gpt-test", messages })
    .then((response) => response.text());
  await vi.waitFor(() => expect(provider.requests.length).toBeGreaterThan(asked), 90_000);
  const exit = ended(falling.child);
  falling.child.kill("SIGUSR2");
  expect(await answer).toContain('"shutting_down"');
  expect(await exit).toBe(1);
  expect(falling.said()).toContain("a timer threw");
});

test("a stream that only waits does not hold up the shutdown", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parlance-shutdown-"));
  const waiting = await spawnServer({ DATA_DIR: folder, OPENAI_BASE_URL: provider.url });
  const events = await fetch(`${waiting.url}/api/v1/events`, {
    headers: waiting.authorization,
  });
  expect(events.status).toBe(200);
  const text = events.text();
  const exit = ended(waiting.child);
  waiting.child.kill("SIGTERM");
  // SHUTDOWN_TIMEOUT is 30 s: the stream ends before, with the reason
  expect(await text).toContain("shutting_down");
  expect(await exit).toBe(0);
  await rm(folder, { recursive: true, force: true });
});
