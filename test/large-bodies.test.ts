import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import { held } from "./support/held.ts";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

const MB = 1024 * 1024;
const post = async (path: string, body: string) => {
  const response = await fetch(parlance.url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${parlance.token}`,
    },
    body,
  });
  const { code, error } = (await response.json()) as {
    code?: string;
    error?: { code: string };
  };
  return { status: response.status, code: code ?? error?.code };
};
const chat = (content: string) =>
  `{"model":"m","messages":[{"role":"user","content":${content}}]}`;

test.each([
  ["nested deeper than any value", "[".repeat(2 * MB), 400, "json_too_deep"],
  ["of a million empty objects", `[${"{},".repeat(MB)}{}]`, 413, "json_too_many_values"],
  ["of a million keys", `{${'"k":1,'.repeat(MB)}"z":1}`, 413, "json_too_many_values"],
  ["larger than its route takes", `"${"a".repeat(13 * MB)}"`, 413, "body_too_large"],
])("a body %s is refused before it is parsed", async (_, content, status, code) => {
  expect(await post("/v1/chat/completions", chat(content))).toEqual({ status, code });
  held("event-loop");
});

test("large requests of one user leave memory for small ones, and release what they held", async () => {
  const large = chat(`"${"a".repeat(11 * MB)}"`);
  const all = Promise.all(
    Array.from({ length: 8 }, () => post("/v1/chat/completions", large)),
  );
  const small = await post("/v1/chat/completions", chat('"hello"'));
  expect(small).toEqual({ status: 404, code: "model_not_found" });
  for (const { status } of await all) expect([404, 429, 503]).toContain(status);
  expect((await post("/v1/chat/completions", large)).status).toBe(404);
});

test("a small text is not cut into chunks that repeat it a thousand times", async () => {
  const sizes = { chunkSize: 3_000, chunkOverlap: 2_999, unit: "characters" };
  const body = { text: "ab ".repeat(10_000), method: "fixed_size", ...sizes };
  const refused = { status: 413, code: "chunks_too_large" };
  expect(await post("/api/v1/chunk", JSON.stringify(body))).toEqual(refused);
  const moderate = { ...body, chunkOverlap: 1_000 };
  expect((await post("/api/v1/chunk", JSON.stringify(moderate))).status).toBe(200);
  held("event-loop");
});
