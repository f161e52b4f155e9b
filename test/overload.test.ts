import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  type FakeProvider,
  type SeenRequest,
  startFakeProvider,
} from "./support/fake-provider/start-fake-provider.ts";
import { held } from "./support/held.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { settingsOf } from "./support/scripted-server.ts";

const LIMIT = 15;
const REFUSED = 40;

let provider: FakeProvider;
let parlance: TestServer;
/** Lets the provider answer. */
let answerAll: () => void;
beforeAll(async () => {
  const until = new Promise<void>((resolve) => (answerAll = resolve));
  provider = await startFakeProvider({
    wire: "openai",
    replies: [{ steps: [{ until }, { text: "words" }] }],
  });
  parlance = await startTestServer({
    ...settingsOf(provider),
    REQUEST_LIMIT: String(LIMIT),
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const ask = () =>
  parlance.request("/api/v1/conversation", { body: { content: "hi", stream: false } });

/** Titles of conversations, which the server itself requests, begin with a system message. */
function isReply({ body }: SeenRequest): boolean {
  return (body as { messages: { role: string }[] }).messages[0]?.role !== "system";
}

test("beyond its limit the server refuses at once, answers the accepted requests, and recovers", async () => {
  const admitted = Array.from({ length: LIMIT }, ask);
  await vi.waitFor(
    () => expect(provider.requests.filter(isReply).length).toBe(LIMIT),
    60_000,
  );

  const refused = await Promise.all(Array.from({ length: REFUSED }, ask));
  for (const response of refused) {
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({ code: "server_busy" }),
    ]);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  for (const probe of ["/healthz", "/readyz"])
    expect((await parlance.request(probe, { token: null })).status).toBe(200);

  answerAll();
  const answers = await Promise.all(admitted);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect((await ask()).status).toBe(200);
  held("overload", REFUSED);
});
