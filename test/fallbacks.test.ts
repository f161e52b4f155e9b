import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { askBelow, type Body, newPerson } from "./support/ask.ts";
import {
  isTitle,
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";
import { eventsOf, startTestServer, type TestServer } from "./support/server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";

/** A model that fails, and those that answer in its place, at every way in. */

const SECRET = "the-secret-of-the-services";
const ASKED = "openai/gpt-asked";
const OTHER = "openai/gpt-other";
const ANSWERED_BY = {
  model: OTHER,
  name: "Other",
  insteadOf: ASKED,
  code: "provider_rate_limited",
};
const hello = [{ role: "user", content: "hello" }];

let provider: ScriptedProvider;
let tools: ToolServer;
let parlance: TestServer;
let bob: { id: string; token: string };
beforeAll(async () => {
  provider = await startScriptedProvider();
  tools = await startToolServer({
    look: {
      annotations: { readOnlyHint: true, openWorldHint: false },
      run: () => text("seen"),
    },
  });
  parlance = await startTestServer({
    ...settingsOf(provider, "gpt-asked,gpt-other,gpt-third"),
    MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
    MCP_SERVERS_POLL: "200",
    SERVICE_SECRET: SECRET,
    COMPLETION_FALLBACK_AFTER: "4000",
  });
  await vi.waitFor(
    async () =>
      expect((await ask("GET", "/mcp/v1/tools")).body).toMatchObject({ total: 1 }),
    90_000,
  );
  bob = await newPerson(parlance, "bob");
  await ask("PATCH", entry(OTHER), { body: { displayName: "Other" } });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const ask = askBelow(() => parlance, "");
const entry = (id: string) => `/api/v1/available-models/${encodeURIComponent(id)}`;
const name = (fallbacks: string[], id = ASKED) =>
  ask("PATCH", entry(id), { body: { fallbacks } });
const asBob = (path: string, body: object) => ask("POST", path, { token: bob.token, body });
const askedModels = () => provider.turns().map((body) => body["model"]);

/** Naming the fallbacks again ends the rest of the model, too, once all services have read it. */
beforeEach(async () => {
  expect((await name([OTHER])).body).toMatchObject({ fallbacks: [OTHER] });
  provider.answer(() => ({ text: ["Ready"] }));
  const ready = { model: ASKED, messages: hello };
  await vi.waitFor(
    async () =>
      expect(
        (await ask("POST", "/v1/chat/completions", { body: ready })).body,
      ).toMatchObject({ model: ASKED }),
    { timeout: 90_000, interval: 100 },
  );
  provider.requests.length = 0;
  provider.answer((_, body) => {
    if (body["model"] === "gpt-asked")
      return { status: 429, headers: { "retry-after": "60" } };
    if (isTitle(body)) return { text: ["A good title"] };
    const called = body.messages.some(({ role }) => role === "tool");
    if (body.tools && !called) return { toolCalls: [{ name: "look", arguments: {} }] };
    return { text: ["Here"], usage: { inputTokens: 30, outputTokens: 2 } };
  });
});

test("in a conversation the stream, the stored message and its title say who answered", async () => {
  const response = await parlance.request("/api/v1/conversation", {
    token: bob.token,
    body: { content: "hello", model: ASKED },
  });
  const events = await eventsOf(response);
  const at = (type: string) => events.find(({ event }) => event === type)?.data;
  expect(at("answered_by")).toEqual(ANSWERED_BY);
  expect(at("done")).toMatchObject({ content: "Here", answeredBy: ANSWERED_BY });
  expect(events.findIndex(({ event }) => event === "answered_by")).toBeLessThan(
    events.findIndex(({ event }) => event === "text_delta"),
  );
  expect(at("title")).toEqual({ title: "A good title" });
  const path = `/api/v1/conversation/${String(events[0]?.data["conversationId"])}`;
  const { body } = await ask("GET", path, { token: bob.token });
  // the next message asks the same model again
  expect((body["messages"] as Body[]).at(-1)).toMatchObject({
    status: "complete",
    model: ASKED,
    answeredBy: ANSWERED_BY,
  });
  const again = await ask("GET", `${path}/stream`, { token: bob.token });
  expect(again.text).toContain("event: answered_by");
  const whole = await asBob("/api/v1/conversation", {
    content: "hello",
    model: ASKED,
    stream: false,
  });
  expect(whole.body).toMatchObject({ content: "Here", answeredBy: ANSWERED_BY });
});

test("an agent with tools and a run go on with the fallback, turn by turn", async () => {
  const body = { content: "look", model: ASKED, tools: ["look"], stream: false };
  const reply = await asBob("/api/v1/conversation", body);
  expect(reply.body).toMatchObject({ content: "Here", answeredBy: ANSWERED_BY });
  expect(reply.body["toolCalls"]).toMatchObject([{ name: "look", content: "seen" }]);
  // the title and the first turn begin together: what finds that it fails lets it rest
  expect(provider.requests.map((asked) => asked["model"])).toContain("gpt-asked");
  expect(askedModels().slice(-2)).toEqual(["gpt-other", "gpt-other"]);
  expect(askedModels().slice(0, -2)).not.toContain("gpt-other");
  const run = await asBob("/api/v1/agent/run", {
    model: ASKED,
    messages: hello,
    tools: ["look"],
    approval: "destructive",
    stream: false,
  });
  expect(run.body).toMatchObject({
    content: "Here",
    answeredBy: ANSWERED_BY,
    iterations: 2,
  });
});

test.each([
  ["/v1/chat/completions", { messages: hello }],
  ["/v1/messages", { messages: hello, max_tokens: 100 }],
  ["/v1/responses", { input: "hello" }],
])("%s names the model that answered, with and without a stream", async (path, asked) => {
  const body = { ...asked, model: ASKED };
  const whole = await asBob(path, { ...body, stream: false });
  expect([whole.status, whole.body["model"]]).toEqual([200, OTHER]);
  const { text: streamed } = await asBob(path, { ...body, stream: true });
  const models = [...streamed.matchAll(/"model":"([^"]+)"/g)].map(([, model]) => model);
  expect(models.at(-1)).toBe(OTHER);
  expect(new Set(models)).toEqual(new Set([OTHER]));
});

test("a response in the background whose model is silent begins under the name of the one that was asked", async () => {
  provider.answer((_, body) =>
    body["model"] === "gpt-asked" ? { silent: true } : { text: ["Here"] },
  );
  const response = await parlance.request("/v1/responses", {
    token: bob.token,
    body: { model: ASKED, input: "hello", stream: true, background: true },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const named = (text: string) =>
    [...text.matchAll(/"model":"([^"]+)"/g)].map(([, model]) => model);
  const { value: head = "" } = (await reader?.read()) ?? {};
  expect(head).toContain("response.created");
  expect(new Set(named(head))).toEqual(new Set([ASKED]));
  let rest = "";
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
    rest += next.value;
  expect(rest).toContain("response.completed");
  expect(named(rest).at(-1)).toBe(OTHER);
});

test("the tokens count for the model that wrote them, and the replacement is counted", async () => {
  const tokensOfAsked = async () =>
    (await ask("GET", "/metrics")).text.match(
      /^model_tokens_total\{provider="openai",model="gpt-asked".*$/gm,
    );
  const before = await tokensOfAsked();
  await asBob("/v1/chat/completions", { model: ASKED, messages: hello });
  const grouped = async () =>
    (await ask("GET", "/api/v1/usage?groupBy=model", { token: bob.token })).body.items.map(
      ({ group }) => group,
    );
  await vi.waitFor(async () => expect(await grouped()).toEqual([OTHER]), 60_000);
  const { text: metrics } = await ask("GET", "/metrics");
  expect(metrics).toMatch(
    /^model_fallbacks_total\{model="openai\/gpt-other",instead_of="openai\/gpt-asked",code="provider_rate_limited"\} \d+$/m,
  );
  expect(await tokensOfAsked()).toEqual(before);
});

test("a fallback that the user's roles do not permit does not answer", async () => {
  await name([OTHER, "openai/gpt-third"]);
  const permissions = [
    { action: "manage", subject: "all" },
    { action: "use", subject: "model", inverted: true, conditions: { model: OTHER } },
  ];
  await ask("POST", "/api/v1/roles", { body: { name: "limited", permissions } });
  const anne = { email: "anne@test.example", password: "a long enough password" };
  const user = { ...anne, name: "Anne", roles: ["limited"] };
  expect((await ask("POST", "/api/v1/users", { body: user })).status).toBe(201);
  const token = await parlance.signIn(anne.email, anne.password);
  const body = { model: ASKED, messages: hello };
  const reply = await ask("POST", "/v1/chat/completions", { token, body });
  expect(reply.body["model"]).toBe("openai/gpt-third");
  await name([OTHER]);
  const refused = await ask("POST", "/v1/chat/completions", { token, body });
  expect([refused.status, refused.body["error"]]).toMatchObject([
    429,
    { code: "provider_rate_limited" },
  ]);
  expect(askedModels()).not.toContain("gpt-other");
});

test("a fallback counts within the budgets of the user: where only money is used up, a free one answers", async () => {
  await name([OTHER, "openai/gpt-third"]);
  const pricing = { inputPerMillion: 1, outputPerMillion: 1, currency: "EUR" };
  await ask("PATCH", entry(OTHER), { body: { pricing } });
  const fallbacks = async () => {
    const response = await fetch(`${parlance.internalUrl}/api/v1/budgets/fallbacks`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-platform-service-secret": SECRET,
      },
      body: JSON.stringify({ model: ASKED, userId: bob.id }),
    });
    return ((await response.json()) as { models: string[] }).models;
  };
  expect(await fallbacks()).toEqual([OTHER, "openai/gpt-third"]);
  const budget = { name: "Money", subjectType: "user", subjectId: bob.id, period: "day" };
  const money = await ask("POST", "/api/v1/budgets", {
    body: { ...budget, unit: "money", amount: 0.000_001 },
  });
  await asBob("/v1/chat/completions", { model: ASKED, messages: hello });
  await vi.waitFor(
    async () => expect(await fallbacks()).toEqual(["openai/gpt-third"]),
    60_000,
  );
  const tokens = await ask("POST", "/api/v1/budgets", {
    body: { ...budget, unit: "tokens", amount: 1 },
  });
  await ask("PATCH", `/api/v1/budgets/${money.body.id}`, { body: { enabled: false } });
  await ask("POST", "/api/v1/conversation", {
    token: bob.token,
    body: { content: "hello", model: OTHER, stream: false },
  });
  await vi.waitFor(async () => expect(await fallbacks()).toEqual([]), 60_000);
  for (const { id } of [money.body, tokens.body])
    await ask("DELETE", `/api/v1/budgets/${id}`);
  await ask("PATCH", entry(OTHER), { body: { pricing: null } });
});

test("where only money is used up, a fallback without a price answers at every way in", async () => {
  await name([OTHER, "openai/gpt-third"]);
  provider.answer((_, body) => ({
    text: isTitle(body) ? ["A good title"] : ["Here"],
    usage: { inputTokens: 30, outputTokens: 2 },
  }));
  const pricing = { inputPerMillion: 1, outputPerMillion: 1, currency: "EUR" };
  for (const id of [ASKED, OTHER]) await ask("PATCH", entry(id), { body: { pricing } });
  const amy = await newPerson(parlance, "amy");
  const asAmy = (path: string, body: object) =>
    ask("POST", path, { token: amy.token, body: { model: ASKED, stream: false, ...body } });
  const money = await ask("POST", "/api/v1/budgets", {
    body: {
      name: "Money",
      subjectType: "user",
      subjectId: amy.id,
      period: "day",
      unit: "money",
      amount: 0.000_001,
    },
  });
  const third = { model: "openai/gpt-third", insteadOf: ASKED, code: "budget_exceeded" };
  const talk = () => asAmy("/api/v1/conversation", { content: "hello" });
  expect((await talk()).body).not.toHaveProperty("answeredBy.model");
  await vi.waitFor(
    async () => expect((await talk()).body["answeredBy"]).toMatchObject(third),
    60_000,
  );
  const { body: spoken } = await talk();
  const stored = await ask("GET", `/api/v1/conversation/${spoken.conversationId}`, {
    token: amy.token,
  });
  expect((stored.body["messages"] as Body[]).at(-1)).toMatchObject({
    model: ASKED,
    answeredBy: third,
  });
  for (const [path, asked] of [
    ["/v1/chat/completions", { messages: hello }],
    ["/v1/messages", { messages: hello, max_tokens: 100 }],
    ["/v1/responses", { input: "hello" }],
  ] as const)
    expect([path, (await asAmy(path, asked)).body["model"]]).toEqual([path, third.model]);
  const run = await asAmy("/api/v1/agent/run", { messages: hello });
  expect(run.body).toMatchObject({ content: "Here", answeredBy: third });
  // what has no price may be asked itself
  expect(
    (await asAmy("/v1/chat/completions", { messages: hello, model: third.model })).status,
  ).toBe(200);
  await name([OTHER]);
  for (const [path, asked] of [
    ["/api/v1/conversation", { content: "hello" }],
    ["/v1/chat/completions", { messages: hello }],
    ["/api/v1/agent/run", { messages: hello }],
  ] as const) {
    const refused = await asAmy(path, asked);
    expect([path, refused.status, refused.text]).toEqual([
      path,
      429,
      expect.stringContaining("budget_exceeded"),
    ]);
  }
  await ask("DELETE", `/api/v1/budgets/${money.body.id}`);
  for (const id of [ASKED, OTHER])
    await ask("PATCH", entry(id), { body: { pricing: null } });
});

test("fallbacks are models that answer, each once, and at most five", async () => {
  await ask("POST", "/api/v1/models", {
    body: { id: "emb", name: "Embedding", kind: "embedding" },
  });
  const made = {
    modelId: "emb",
    providerName: "openai",
    providerModelId: "emb",
    id: "emb",
  };
  expect((await ask("POST", "/api/v1/available-models", { body: made })).status).toBe(201);
  for (const [fallbacks, code, id] of [
    [[ASKED], "fallbacks_repeated", ASKED],
    [[OTHER, OTHER], "fallbacks_repeated", ASKED],
    [["nobody/nothing"], "fallback_unsuitable", ASKED],
    [["emb"], "fallback_unsuitable", ASKED],
    [[OTHER], "fallback_unsuitable", "emb"],
    [["1", "2", "3", "4", "5", "6"], "validation_failed", ASKED],
  ] as const) {
    const refused = await name([...fallbacks], id);
    expect([fallbacks, refused.status, refused.body.code]).toEqual([fallbacks, 400, code]);
  }
  // what was there stays
  expect((await ask("GET", entry(ASKED))).body).toMatchObject({ fallbacks: [OTHER] });
  const bad = { ...made, id: "emb2", providerModelId: "emb2", fallbacks: [OTHER] };
  expect((await ask("POST", "/api/v1/available-models", { body: bad })).status).toBe(400);
  expect((await ask("GET", entry("emb2"))).status).toBe(404);
});

test("fallbacks share the load of a model, at every way in under its name", async () => {
  const change = (body: object) => ask("PATCH", entry(ASKED), { body });
  const shares = (...ids: string[]) => ({
    loadSharing: { by: "weight", weight: 1, with: ids.map((id) => ({ id })) },
  });
  for (const ids of [["openai/gpt-third"], [OTHER, OTHER], [ASKED]]) {
    const refused = await change(shares(...ids));
    expect([ids, refused.status, refused.body.code]).toEqual([
      ids,
      400,
      "load_sharing_unsuitable",
    ]);
  }
  const loadSharing = { by: "weight", weight: 1, with: [{ id: OTHER, weight: 1 }] };
  expect((await change(shares(OTHER))).body).toMatchObject({ loadSharing });
  provider.answer((_, body) =>
    isTitle(body) ? { text: ["A good title"] } : { text: ["Here"] },
  );
  for (let at = 0; at < 16; at += 1) {
    const messages = [{ role: "user", content: `question ${at}` }];
    const { body } = await asBob("/v1/chat/completions", { model: ASKED, messages });
    expect(body["model"]).toBe(ASKED);
  }
  expect(new Set(askedModels())).toEqual(new Set(["gpt-asked", "gpt-other"]));
  // what is a fallback no longer shares no longer
  expect((await name([])).body).toMatchObject({ fallbacks: [], loadSharing });
  provider.requests.length = 0;
  for (let at = 0; at < 8; at += 1) {
    const messages = [{ role: "user", content: `question ${at}` }];
    await asBob("/v1/chat/completions", { model: ASKED, messages });
  }
  expect(new Set(askedModels())).toEqual(new Set(["gpt-asked"]));
  expect((await change({ loadSharing: null })).body).not.toHaveProperty("loadSharing");
});

test("parameters of a model hold behind those of an agent and of a request", async () => {
  const change = (body: object, id = ASKED) => ask("PATCH", entry(id), { body });
  const parameters = { temperature: 0.2, seed: 7, reasoningEffort: "low" };
  expect((await change({ parameters, fallbacks: [] })).body).toMatchObject({ parameters });
  provider.answer((_, body) =>
    isTitle(body) ? { text: ["A title"] } : { text: ["Here"] },
  );
  const sent = () => {
    const { temperature, seed, reasoning_effort, verbosity } = (provider.turns().at(-1) ??
      {}) as Record<string, unknown>;
    return { temperature, seed, reasoning_effort, verbosity };
  };
  const asked = { temperature: 0.2, seed: 7, reasoning_effort: "low" };
  await asBob("/api/v1/conversation", { content: "hello", model: ASKED, stream: false });
  expect(sent()).toMatchObject(asked);
  const { body: agent } = await asBob("/api/v1/agent", {
    name: "Own",
    model: ASKED,
    temperature: 0.5,
    parameters: { reasoningEffort: "high", verbosity: "low" },
  });
  const agentId = String(agent["id"]);
  await asBob("/api/v1/conversation", { content: "hello", agentId, stream: false });
  const ofAgent = { temperature: 0.5, seed: 7, reasoning_effort: "high", verbosity: "low" };
  expect(sent()).toMatchObject(ofAgent);
  const body = { model: ASKED, messages: hello, temperature: 1, seed: 1 };
  await asBob("/v1/chat/completions", body);
  expect(sent()).toMatchObject({ temperature: 1, seed: 1, reasoning_effort: "low" });
  expect((await change({ parameters: { temperature: 9 } })).status).toBe(400);
  expect((await change({ parameters: {} })).body).not.toHaveProperty("parameters");
});

test("a parameter that the provider has no place for is refused when it is set, by name", async () => {
  const claude = {
    name: "claude",
    kind: "anthropic",
    config: { apiKey: "k", baseUrl: "https://llm.example/v1" },
  };
  await ask("POST", "/api/v1/model-providers", { body: claude });
  await ask("POST", "/api/v1/models", {
    body: { id: "sonnet", name: "Sonnet", kind: "completion" },
  });
  const made = {
    id: "claude/s",
    modelId: "sonnet",
    providerName: "claude",
    providerModelId: "s",
  };
  const refused = await ask("POST", "/api/v1/available-models", {
    body: { ...made, parameters: { seed: 7 } },
  });
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { code: "parameter_unsupported", params: { name: "seed" } },
  ]);
  const parameters = { temperature: 0.1, topP: 0.9, stop: ["."] };
  const { status } = await ask("POST", "/api/v1/available-models", {
    body: { ...made, parameters },
  });
  expect(status).toBe(201);
  const later = await ask("PATCH", entry("claude/s"), {
    body: { displayName: "Other name", parameters: { verbosity: "low" } },
  });
  expect(later.body).toMatchObject({ code: "parameter_unsupported" });
  expect((await ask("GET", entry("claude/s"))).body).toMatchObject({
    displayName: "Sonnet",
    parameters,
  });
  await ask("DELETE", "/api/v1/model-providers/claude");
});

test("two models may name each other, and each is asked once", async () => {
  await name([ASKED], OTHER);
  provider.answer(() => ({ status: 429, headers: { "retry-after": "60" } }));
  const failed = await asBob("/v1/chat/completions", { model: ASKED, messages: hello });
  expect(failed.status).toBe(429);
  expect(askedModels()).toEqual(["gpt-asked", "gpt-other"]);
  await name([], OTHER);
});

test("a model that is renamed stays a fallback, and one that is disabled or deleted does not answer", async () => {
  await ask("POST", "/api/v1/models", {
    body: { id: "new", name: "New", kind: "completion", capabilities: { tools: true } },
  });
  const made = { modelId: "new", providerName: "openai", providerModelId: "gpt-new" };
  const { body: added } = await ask("POST", "/api/v1/available-models", {
    body: { ...made, fallbacks: [OTHER] },
  });
  expect(added).toMatchObject({ fallbacks: [OTHER] });
  await name([added.id, OTHER]);
  const answeredBy = async () =>
    (await asBob("/v1/chat/completions", { model: ASKED, messages: hello })).body["model"];
  expect(await answeredBy()).toBe(added.id);
  await ask("PATCH", entry(added.id), {
    body: { displayName: "Newest", providerModelId: "gpt-newest" },
  });
  expect(await answeredBy()).toBe(added.id);
  expect(askedModels().at(-1)).toBe("gpt-newest");
  await ask("PATCH", entry(added.id), { body: { enabled: false } });
  expect(await answeredBy()).toBe(OTHER);
  expect((await ask("GET", entry(ASKED))).body).toMatchObject({
    fallbacks: [added.id, OTHER],
  });
  expect((await ask("DELETE", entry(added.id))).status).toBe(204);
  expect((await ask("GET", entry(ASKED))).body).toMatchObject({ fallbacks: [OTHER] });
});
