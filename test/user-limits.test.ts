import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";

const PASSWORD = "a long enough password";
let provider: ScriptedProvider;
let parlance: TestServer;
let serial = 0;

beforeAll(async () => {
  provider = await startScriptedProvider();
  // a reply that continues until it is stopped
  provider.answer(() => ({
    text: Array.from({ length: 2_000 }, (_, n) => `${n} `),
    delayMs: 30,
  }));
  parlance = await startTestServer({
    ...settingsOf(provider),
    USER_STREAM_LIMIT: "2",
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function signUp(): Promise<string> {
  const email = `user-${(serial += 1)}@test.example`;
  await parlance.request("/api/v1/users", {
    body: { email, name: email, password: PASSWORD },
  });
  return parlance.signIn(email, PASSWORD);
}

test("streams of all routes count together, and closing one frees its place", async () => {
  const [anne, beth] = [await signUp(), await signUp()];
  const close = new AbortController();
  const messages = [{ role: "user", content: "hello" }];
  const openAi = (token: string, signal?: AbortSignal) =>
    parlance.request("/v1/chat/completions", {
      token,
      body: { model: "openai/gpt-test", messages, stream: true },
      ...(signal && { signal }),
    });
  const first = await openAi(anne, close.signal);
  const body = { content: "hello" };
  const second = await parlance.request("/api/v1/conversation", { token: anne, body });
  expect([first.status, second.status]).toEqual([200, 200]);
  const third = await openAi(anne);
  expect(third.status).toBe(429);
  expect(third.headers.get("retry-after")).toBe("5");
  expect(await third.json()).toMatchObject({ error: { code: "too_many_streams" } });
  const run = { model: "openai/gpt-test", messages };
  const fourth = await parlance.request("/api/v1/agent/run", { token: anne, body: run });
  expect(await fourth.json()).toMatchObject({ code: "too_many_streams" });
  const other = await openAi(beth);
  expect(other.status).toBe(200);
  close.abort();
  await expect
    .poll(
      async () => {
        const again = await openAi(anne);
        await again.body?.cancel();
        return again.status;
      },
      { timeout: 60_000 },
    )
    .toBe(200);
  await second.body?.cancel();
  await other.body?.cancel();
});

test("a user has at most 100 API keys, also with concurrent requests", async () => {
  const token = await signUp();
  const make = () =>
    parlance.request("/api/v1/auth/api-keys", { token, body: { name: "k" } });
  for (let made = 0; made < 95; made += 1) expect((await make()).status).toBe(201);
  const answers = await Promise.all(Array.from({ length: 10 }, make));
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 5 }, () => 201),
    ...Array.from({ length: 5 }, () => 409),
  ]);
  const refused = answers.find(({ status }) => status === 409);
  expect(await refused?.json()).toMatchObject({ code: "too_many_api_keys" });
});
