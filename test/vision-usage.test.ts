import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askBelow } from "./support/ask.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

/** One grey pixel. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "base64",
);
const PASSWORD = "a long enough password";

let parlance: TestServer;
let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider(() => ({
    text: ["A letter about coffee"],
    usage: { inputTokens: 60, outputTokens: 40 },
  }));
  const OCR_MODEL = "openai/gpt-test";
  parlance = await startTestServer({ ...settingsOf(provider), OCR_MODEL });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const ask = askBelow(() => parlance, "/api/v1");

test("pages that a model reads count for the user who sent them, and are not read beyond the budget", async () => {
  const email = "ada@example.com";
  const { body: ada } = await ask("POST", "/users", {
    body: { email, name: "Ada", password: PASSWORD },
  });
  const token = await parlance.signIn(email, PASSWORD);
  const limit = { name: "Limit", unit: "tokens", amount: 200, period: "day" };
  const subject = { subjectType: "user", subjectId: ada.id };
  expect((await ask("POST", "/budgets", { body: { ...limit, ...subject } })).status).toBe(
    201,
  );
  const send = async (way: string) => {
    const response = await fetch(`${parlance.url}/api/v1/parser/${way}?ocr_enabled=true`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "x-original-filename": "a.png" },
      body: PICTURE,
    });
    return (await response.json()) as { job_id: string; markdown: string; error: string };
  };
  const isSpent = (tokens: number) =>
    vi.waitFor(async () => {
      const { body } = await ask("GET", "/budgets/mine", { token });
      expect(body).toMatchObject({ budgets: [{ spent: tokens }] });
    }, 90_000);

  expect(await send("parse")).toMatchObject({ markdown: "A letter about coffee" });
  await isSpent(100);
  await send("parse-async");
  await isSpent(200);
  const asked = provider.requests.length;
  expect(await send("parse")).toMatchObject({
    code: "no_text_found",
    error: expect.stringContaining('The budget "Limit" is used up.'),
  });
  expect(provider.requests.length).toBe(asked);
});
