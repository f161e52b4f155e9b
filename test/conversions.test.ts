import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askBelow } from "./support/ask.ts";
import { eventsOf, type TestServer } from "./support/server.ts";
import type { ScriptedProvider } from "./support/scripted-provider.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";

let server: ScriptedServer;
let parlance: TestServer;
let provider: ScriptedProvider;
let bob: string;
const NOBODY = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
beforeAll(async () => {
  server = await startScriptedServer();
  ({ parlance, provider, bob } = server);
});
afterAll(() => server[Symbol.asyncDispose]());

const ask = askBelow(() => parlance, "");
const convert = (body: object, token?: string) =>
  ask("POST", "/api/v1/conversion", { body, ...(token && { token }) });
const taskOf = (index: number) => String(provider.requests.at(index)?.messages[0]?.content);

test("a text is corrected, with word-by-word changes", async () => {
  provider.answer(() => ({ text: ["Das ist ein ", "Fehler."] }));
  const { body } = await convert({ type: "grammar", text: "Das isst ein Fehler." });
  expect(body).toMatchObject({
    type: "grammar",
    status: "complete",
    output: "Das ist ein Fehler.",
  });
  expect(body["changes"]).toEqual([
    { kind: "same", text: "Das " },
    { kind: "removed", text: "isst" },
    { kind: "added", text: "ist" },
    { kind: "same", text: " ein Fehler." },
  ]);
  expect(provider.requests.at(-1)?.messages.at(-1)?.content).toBe("Das isst ein Fehler.");
});

test("a translation streams, names its language, and is stored", async () => {
  provider.answer(() => ({ text: ["Guten ", "Tag"] }));
  const response = await parlance.request("/api/v1/conversion", {
    body: { type: "translation", text: "Good day", targetLanguage: "German", stream: true },
  });
  const events = (await eventsOf(response)).map(
    ({ event, data }) => ({ type: event, ...data }) as Record<string, unknown>,
  );
  expect(events[0]?.["type"]).toBe("conversion");
  expect(
    events
      .filter((event) => event["type"] === "text_delta")
      .map((event) => event["delta"])
      .join(""),
  ).toBe("Guten Tag");
  expect(events.at(-1)).toMatchObject({
    type: "done",
    conversion: { output: "Guten Tag", targetLanguage: "German" },
  });
  expect(taskOf(-1)).toContain("German");
  const { body } = await ask("GET", `/api/v1/conversion/${String(events[0]?.["id"])}`);
  expect(body).toMatchObject({
    status: "complete",
    input: "Good day",
    output: "Guten Tag",
  });
});

test("a text longer than the model's context is translated in pieces and summarized in rounds", async () => {
  const long = Array.from(
    { length: 4_000 },
    (_, n) => `Sentence number ${n} says something of its own.`,
  ).join("\n\n");
  let asked = 0;
  provider.answer((_, { messages }) => {
    asked += 1;
    expect(String(messages.at(-1)?.content).length).toBeLessThan(32_000 * 4);
    return { text: [`<${asked}>`] };
  });
  const translated = await convert({
    type: "translation",
    text: long,
    targetLanguage: "de",
  });
  expect(translated.body.output).toMatch(/^<1>\s+<2>/);
  expect(asked).toBeGreaterThan(3);
  const rounds = provider.requests.length;
  const summary = await convert({
    type: "summarisation",
    text: long,
    options: { length: "short" },
  });
  expect(summary.body.status).toBe("complete");
  expect(provider.requests.length - rounds).toBeGreaterThan(2);
  expect(taskOf(-1)).toContain("three sentences");
  // the last round summarizes the notes of the earlier ones
  expect(String(provider.requests.at(-1)?.messages.at(-1)?.content)).toMatch(/^<\d+>/);
});

test("a client that leaves ends the provider's request, and the text so far is stored as stopped", async () => {
  provider.answer(() => ({
    text: Array.from({ length: 500 }, () => "word "),
    delayMs: 20,
  }));
  const leaving = new AbortController();
  const response = await parlance.request("/api/v1/conversion", {
    body: { type: "grammar", text: "leave me", stream: true },
    signal: leaving.signal,
  });
  const reader = response.body?.getReader();
  const first = Buffer.from((await reader?.read())?.value ?? []).toString();
  const id = /"id":"([^"]+)/.exec(first)?.[1];
  const before = provider.aborted;
  leaving.abort();
  await vi.waitFor(
    async () =>
      expect((await ask("GET", `/api/v1/conversion/${id}`)).body.status).toBe("stopped"),
    90_000,
  );
  expect(provider.aborted).toBe(before + 1);
});

test("a provider's failure is reported and stored", async () => {
  provider.answer(() => ({ status: 401 }));
  const failed = await convert({ type: "grammar", text: "x" });
  expect([failed.status, failed.body.code]).toEqual([502, "provider_refused_key"]);
  expect((await ask("GET", "/api/v1/conversion?limit=1")).body.items).toMatchObject([
    { status: "failed", error: { code: "provider_refused_key" } },
  ]);
});

test("only their owner lists, changes and deletes conversions", async () => {
  provider.answer(() => ({ text: ["ok"] }));
  const { body: mine } = await convert({ type: "summarisation", text: "mine" });
  const { body: bobs } = await convert({ type: "grammar", text: "bob's" }, bob);
  expect((await ask("GET", "/api/v1/conversion", { token: bob })).body).toMatchObject({
    total: 1,
    items: [{ input: "bob's" }],
  });
  expect(
    (await ask("GET", "/api/v1/conversion?type=summarisation")).body.items.every(
      ({ type }) => type === "summarisation",
    ),
  ).toBe(true);
  const found = await ask("GET", "/api/v1/conversion?query=BOB&texts=short", {
    token: bob,
  });
  expect(found.body).toMatchObject({ total: 1, items: [{ id: bobs.id, input: "bob's" }] });
  const { body: long } = await convert(
    { type: "grammar", text: `begin ${"x".repeat(300)}` },
    bob,
  );
  const short = await ask("GET", "/api/v1/conversion?query=begin&texts=short", {
    token: bob,
  });
  expect(short.body.items[0]?.["input"]).toBe(`begin ${"x".repeat(194)}`);
  expect((await ask("GET", "/api/v1/conversion?query=begin")).body.total).toBe(0);
  await ask("DELETE", "/api/v1/conversion/bulk", { token: bob, body: { ids: [long.id] } });
  expect(
    (await ask("PATCH", `/api/v1/conversion/${mine.id}`, { body: { output: "better" } }))
      .body.output,
  ).toBe("better");
  for (const id of [bobs.id, NOBODY]) {
    expect((await ask("GET", `/api/v1/conversion/${id}`)).body.code).toBe(
      "conversion_not_found",
    );
    expect(
      (await ask("PATCH", `/api/v1/conversion/${id}`, { body: { output: "x" } })).body.code,
    ).toBe("conversion_not_found");
  }
  const removed = await ask("DELETE", "/api/v1/conversion/bulk", {
    body: { ids: [mine.id, bobs.id, NOBODY] },
  });
  expect(removed.body.results.map(({ success }) => success)).toEqual([true, false, false]);
  expect((await ask("GET", `/api/v1/conversion/${bobs.id}`, { token: bob })).status).toBe(
    200,
  );
});

test.each([
  {},
  { type: "poetry", text: "x" },
  { type: "translation", text: "x" },
  { type: "grammar", text: " " },
  { type: "grammar", text: "x", options: { length: "epic" } },
])("%j is refused", async (body) => {
  expect((await convert(body)).body.code).toBe("validation_failed");
  expect((await ask("POST", "/api/v1/conversion", { body, token: null })).status).toBe(401);
});

test("built-in templates exist in two languages, and an administrator may only disable them", async () => {
  const { body } = await ask("GET", "/api/v1/templates?limit=100", { token: bob });
  const languages = (language: string) =>
    body.items.filter((item) => item["language"] === language && item["builtIn"]).length;
  expect([languages("en"), languages("de")]).toEqual([6, 6]);
  for (const path of ["/api/v1/templates", "/api/v1/templates/enabled"]) {
    const german = await ask("GET", `${path}?builtInLanguage=de`, { token: bob });
    const builtIn = german.body.items.filter((item) => item["builtIn"]);
    expect(builtIn.map((item) => item["language"])).toEqual(Array(6).fill("de"));
  }
  const [first] = body.items;
  const path = `/api/v1/templates/${first?.id}`;
  expect((await ask("PATCH", path, { body: { name: "Mine" } })).body.code).toBe(
    "template_built_in",
  );
  expect((await ask("DELETE", path)).body.code).toBe("template_built_in");
  expect((await ask("PATCH", path, { body: { enabled: false } })).body["enabled"]).toBe(
    false,
  );
  const enabled = (await ask("GET", "/api/v1/templates/enabled?limit=100", { token: bob }))
    .body;
  expect(enabled.total).toBe(body.total - 1);
  await ask("PATCH", path, { body: { enabled: true } });
});

test("a template can be created with gaps, filled and found by ids, and only administrators change it", async () => {
  const given = {
    name: "Greeting",
    content: "Dear {{ name }}, {{text}} {{name}}",
    variables: [
      { name: "name", label: "Name" },
      { name: "text", label: "Text", default: "hello" },
    ],
  };
  const { body: made } = await ask("POST", "/api/v1/templates", { body: given });
  const path = `/api/v1/templates/${made.id}`;
  const fill = async (values: object) =>
    (await ask("POST", `${path}/fill`, { body: { values }, token: bob })).body;
  expect((await fill({ name: "{{text}} $&" }))["text"]).toBe(
    "Dear {{text}} $&, hello {{text}} $&",
  );
  expect((await fill({ text: "x" })).code).toBe("variable_missing");
  expect(
    (
      await ask("POST", "/api/v1/templates/by-ids", {
        body: { ids: [NOBODY, made.id] },
        token: bob,
      })
    ).body,
  ).toMatchObject([{ id: made.id }]);
  for (const wrong of [{ content: "{{other}}" }, { content: "no gap" }, { variables: [] }])
    expect((await ask("PATCH", path, { body: wrong })).body.code).toBe("template_invalid");
  for (const [method, to] of [
    ["POST", "/api/v1/templates"],
    ["PATCH", path],
    ["DELETE", path],
  ] as const) {
    const body = { ...given, scope: "organization" };
    expect((await ask(method, to, { body, token: bob })).status).toBe(403);
  }
  for (const query of ["greet", "GRÉÉT"])
    expect(
      (await ask("GET", `/api/v1/templates?query=${query}`, { token: bob })).body.items.map(
        ({ id }) => id,
      ),
    ).toEqual([made.id]);
  expect((await ask("DELETE", path)).status).toBe(204);
  expect((await ask("GET", path)).body.code).toBe("template_not_found");
  expect((await ask("GET", "/api/v1/templates?limit=0")).status).toBe(400);
  expect((await ask("GET", "/api/v1/templates", { token: null })).status).toBe(401);
});
