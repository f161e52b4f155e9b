import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { askBelow } from "./support/ask.ts";
import type { ScriptedProvider } from "./support/scripted-provider.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";
import { eventsOf, type TestServer } from "./support/server.ts";

const KEY = "a-key-of-an-engine-0123456789";

/** Two SearXNG servers, the second one of the environment. What each of them does next. */
type Does = (request: IncomingMessage, response: ServerResponse) => void;
const finds =
  (title: string): Does =>
  (_, response) =>
    response.end(
      JSON.stringify({
        results: [{ url: `https://${title}.example/`, title, content: "…" }],
      }),
    );
const refuses =
  (status: number): Does =>
  (_, response) =>
    response.writeHead(status).end(`no, not for ${KEY}`);
const does: Record<string, Does> = {};
const asked: string[] = [];
const engine = createServer((request, response) => {
  const name = request.url?.split("/")[1] ?? "";
  asked.push(name);
  does[name]?.(request, response);
});

let server: ScriptedServer;
let parlance: TestServer;
let provider: ScriptedProvider;
let origin = "";
const ask = askBelow(() => parlance, "/api/v1");
beforeAll(async () => {
  await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`; // a TCP server has one
  server = await startScriptedServer({ SEARXNG_URL: `${origin}/environment` });
  ({ parlance, provider } = server);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  engine.closeAllConnections();
  engine.close();
});
beforeEach(async () => {
  does["environment"] = refuses(500);
  asked.length = 0;
  const { body } = await ask("GET", "/search-engines");
  for (const { id, ...more } of body.items)
    if (!more["fromEnvironment"]) await ask("DELETE", `/search-engines/${id}`);
});

async function add(name: string, more: object = {}): Promise<string> {
  const config = { baseUrl: `${origin}/${name}` };
  const body = { kind: "searxng", name, config, ...more };
  const added = await ask("POST", "/search-engines", { body });
  expect(added.status, added.text).toBe(201);
  return added.body.id;
}

/** What the model reads of a search. */
async function search(): Promise<string> {
  let turn = 0;
  provider.answer((_, { messages }) => {
    if (String(messages[0]?.content).startsWith("Write a title"))
      return { text: ["Tides"] };
    turn += 1;
    return turn === 1
      ? { toolCalls: [{ name: "search_web", arguments: { query: "tides" } }] }
      : { text: ["Found."] };
  });
  const body = { content: "Look it up", tools: ["toolset:web"] };
  const events = await eventsOf(await parlance.request("/api/v1/conversation", { body }));
  const result = events.find(({ event }) => event === "tool_result");
  return String(result?.data["content"]);
}

interface Listed {
  name: string;
  fromEnvironment: boolean;
  state: { problem?: { code: string } };
}
const list = async () =>
  (await ask("GET", "/search-engines")).body.items as unknown as Listed[];

test("an engine that is added is asked at once, after those of the environment", async () => {
  does["first"] = finds("first");
  await add("first");
  expect(await search()).toContain("https://first.example/");
  const engines = await list();
  expect(engines.map(({ name, fromEnvironment }) => [name, fromEnvironment])).toEqual([
    ["SearXNG", true],
    ["first", false],
  ]);
  expect(engines[0]?.state).toMatchObject({
    problem: { code: "search_engine_status", params: { engine: "SearXNG", status: "500" } },
    restsUntil: expect.any(String),
  });
});

test("the order decides who is asked; one that is disabled or removed is not asked", async () => {
  for (const name of ["first", "second"]) does[name] = finds(name);
  const [first, second] = [await add("first"), await add("second")];
  const body = { ids: [second, first] };
  expect((await ask("PUT", "/search-engines/order", { body })).status).toBe(204);
  expect(await search()).toContain("second.example");
  await ask("PATCH", `/search-engines/${second}`, { body: { enabled: false } });
  expect(await search()).toContain("first.example");
  await ask("DELETE", `/search-engines/${first}`);
  asked.length = 0;
  expect(await search()).toContain("web_search_failed");
  expect(asked).not.toContain("first");
});

test("an order that leaves out an engine, or names another one, is refused", async () => {
  const [first, second] = [await add("first"), await add("second")];
  for (const ids of [[first], [first, first], [first, second, first]]) {
    const refused = await ask("PUT", "/search-engines/order", { body: { ids } });
    expect(refused.body.code).toBe("search_engines_differ");
  }
});

test("the next one answers for one without quota, which says so in the list", async () => {
  does["spent"] = refuses(429);
  does["next"] = finds("next");
  await add("spent");
  await add("next");
  expect(await search()).toContain("next.example");
  const spent = (await list()).find(({ name }) => name === "spent");
  expect(spent?.state.problem?.code).toBe("search_engine_quota");
});

test("a change of an engine ends its rest", async () => {
  does["first"] = refuses(401);
  const id = await add("first");
  await search();
  does["first"] = finds("first");
  await ask("PATCH", `/search-engines/${id}`, { body: { name: "renamed" } });
  expect((await list()).find(({ name }) => name === "renamed")?.state).toEqual({});
  expect(await search()).toContain("first.example");
});

test.each<[string, Does, string]>([
  ["a wrong key", refuses(403), "search_engine_refuses_key"],
  ["no quota", refuses(402), "search_engine_quota"],
  ["another status", refuses(502), "search_engine_status"],
  ["no JSON", (_, response) => response.end("<html>"), "search_engine_unreadable"],
  [
    "too much",
    (_, response) => response.end("x".repeat(3 * 1024 * 1024)),
    "search_engine_answer_too_large",
  ],
  ["a closed socket", (request) => request.socket.destroy(), "search_engine_unreachable"],
])("a test of an engine says what is wrong: %s", async (_, answer, code) => {
  does["tested"] = answer;
  const id = await add("tested");
  const { status, body, text } = await ask("POST", `/search-engines/${id}/test`, {
    body: {},
  });
  expect([status, body]).toMatchObject([200, { ok: false, error: { code } }]);
  expect(text).not.toContain(KEY);
});

test("a test searches really, before and after an engine is saved, and one of the environment", async () => {
  does["tested"] = finds("tested");
  does["environment"] = finds("environment");
  const body = {
    kind: "searxng",
    config: { baseUrl: `${origin}/tested` },
    query: "low tide",
  };
  const before = await ask("POST", "/search-engines/test", { body });
  expect(before.body).toMatchObject({ ok: true, results: [{ title: "tested" }] });
  const id = await add("tested");
  const after = await ask("POST", `/search-engines/${id}/test`, { body: {} });
  expect(after.body).toMatchObject({ ok: true, results: [{ title: "tested" }] });
  const path = "/search-engines/environment-searxng/test";
  const own = await ask("POST", path, { body: { query: "tides" } });
  expect(own.body).toMatchObject({ ok: true, results: [{ title: "environment" }] });
  const unknown = await ask("POST", "/search-engines/environment-kagi/test", { body: {} });
  expect(unknown.body.code).toBe("search_engine_not_found");
});

test("a key is shown by no answer, is kept when its mask is sent back, and is audited as a field", async () => {
  const config = { apiKey: KEY };
  const added = await ask("POST", "/search-engines", { body: { kind: "kagi", config } });
  expect(added.body).toMatchObject({ name: "Kagi", config: { apiKey: "•••" } });
  const path = `/search-engines/${added.body.id}`;
  const changed = await ask("PATCH", path, {
    body: { name: "Ours", config: added.body["config"] },
  });
  expect(changed.body).toMatchObject({ name: "Ours", config: { apiKey: "•••" } });
  const listed = await ask("GET", "/search-engines");
  const audit = await ask("GET", "/audit?limit=20");
  for (const { text } of [added, changed, listed, audit]) expect(text).not.toContain(KEY);
  expect(audit.text).toContain(`"resourceId":"${added.body.id}"`);
  const body = { kind: "kagi", config: { apiKey: "•••" } };
  const without = await ask("POST", "/search-engines/test", { body });
  expect(without.body.code).toBe("secret_required");
});

test("what is no configuration of the kind is refused with the field that is wrong", async () => {
  for (const [kind, config, wrong] of [
    ["kagi", {}, "body.config.apiKey"],
    ["kagi", { apiKey: "with a space" }, "body.config.apiKey"],
    ["searxng", { baseUrl: "file:///etc/passwd" }, "body.config.baseUrl"],
    ["searxng", { baseUrl: 7 }, "body.config.baseUrl"],
    ["kagi", { apiKey: KEY, apikey: KEY }, "body.config.apikey"],
    ["altavista", { apiKey: KEY }, "body.kind"],
  ] as const) {
    const refused = await ask("POST", "/search-engines", { body: { kind, config } });
    expect(refused.status, kind).toBe(400);
    expect(refused.text).toContain(wrong);
  }
  const config = { baseUrl: "http://10.1.2.3/" };
  const body = { kind: "searxng", config };
  expect((await ask("POST", "/search-engines", { body })).body.code).toBe(
    "address_not_allowed",
  );
});

test("there are twenty engines at most", async () => {
  for (let count = 0; count < 20; count += 1) await add(`engine-${count}`);
  const body = { kind: "kagi", config: { apiKey: KEY } };
  const refused = await ask("POST", "/search-engines", { body });
  expect([refused.status, refused.body.code]).toEqual([409, "too_many_search_engines"]);
});
