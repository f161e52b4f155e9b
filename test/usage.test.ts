import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { askBelow } from "./support/ask.ts";
import { eventsOf, type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";
import { settingsOf } from "./support/scripted-server.ts";

let parlance: TestServer;
let provider: ScriptedProvider;
let tools: ToolServer;
beforeAll(async () => {
  tools = await startToolServer({ look: { run: () => text("seen") } });
  provider = await startScriptedProvider(() => ({
    text: ["Hello"],
    usage: { inputTokens: 60, outputTokens: 40 },
  }));
  parlance = await startTestServer({
    ...settingsOf(provider),
    MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
    EMBEDDING_TRIES: "1",
  });
  await vi.waitFor(
    async () =>
      expect((await ask("GET", "/mcp/v1/tools")).body).toMatchObject({ total: 1 }),
    90_000,
  );
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const ask = askBelow(() => parlance, "");
const JSON_BODY = { "content-type": "application/json" };
let number = 0;
/** Each test uses its own user. */
const person = async (fields: { clientId?: string } = {}) => {
  const email = `person-${(number += 1)}@test.example`;
  const { body } = await ask("POST", "/api/v1/users", {
    body: { email, name: "Person", password: "a long enough password", ...fields },
  });
  return { id: body.id, token: await parlance.signIn(email, "a long enough password") };
};
const say = (token: string, more: object = {}) =>
  ask("POST", "/api/v1/conversation", {
    token,
    body: { content: "hello", stream: false, ...more },
  });
const budget = async (body: object) =>
  (
    await ask("POST", "/api/v1/budgets", {
      body: {
        name: "Limit",
        unit: "tokens",
        amount: 1_000,
        period: "month",
        subjectType: "user",
        ...body,
      },
    })
  ).body;
const spent = async (token: string) =>
  (await ask("GET", "/api/v1/budgets/mine", { token })).body.budgets.map(
    (state) => state["spent"],
  );
beforeEach(async () => {
  for (const { id } of (await ask("GET", "/api/v1/budgets?limit=100")).body.items)
    await ask("DELETE", `/api/v1/budgets/${id}`);
});

test("whoever a budget limits reads whom else it limits, and who set it", async () => {
  const ada = await person();
  const { body: crew } = await ask("POST", "/api/v1/groups", { body: { name: "Crew" } });
  await ask("PUT", `/api/v1/groups/${crew.id}/members/${ada.id}`);
  await budget({ subjectType: "group", subjectId: crew.id });
  const whom = { subjectType: "group", subjectName: "Crew", period: "month" };
  const named = { ...whom, creatorName: "Administrator" };
  const own = await ask("GET", "/api/v1/budgets/mine", { token: ada.token });
  expect(own.body.budgets).toEqual([expect.objectContaining(named)]);
  const all = await ask("GET", "/api/v1/budgets");
  expect(all.body.items).toEqual([expect.objectContaining(named)]);
});

test("usage is charged to a user's budget: a warning when it is nearly used up, a refusal at the end, and no effect on others", async () => {
  const [ada, bob] = [await person(), await person()];
  // a conversation and its title: 200 tokens
  await budget({ subjectId: "*", amount: 400, warnAt: 0.5 });
  const first = await say(ada.token, { stream: true });
  expect(first.text).not.toContain("event: warning");
  await vi.waitFor(async () => expect(await spent(ada.token)).toEqual([200]), 90_000);
  const second = await say(ada.token, { stream: true });
  expect(second.text).toMatch(
    /event: warning\ndata: \{"code":"budget_nearly_used","message":"50 % of the budget \\"Limit\\" are used\.","params":\{"percent":50,"name":"Limit"\}\}/,
  );
  await vi.waitFor(async () => expect(await spent(ada.token)).toEqual([400]), 90_000);
  const third = await say(ada.token);
  expect([third.status, third.body.code]).toEqual([429, "budget_exceeded"]);
  expect(third.body.error).toMatch(/"Limit" is used up\. .* \d{4}-\d\d-01/);
  expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await say(bob.token)).status).toBe(200);
  // what is charged later counts for the budgets of the next test
  await vi.waitFor(async () => expect(await spent(bob.token)).toEqual([200]), 90_000);
});

test("the list of budgets says whom each limits, and how much everybody and the highest spender used", async () => {
  const [ada, bob] = [await person(), await person()];
  const each = await budget({ name: "Each", subjectId: "*" });
  await budget({ name: "Ada's", subjectId: ada.id, period: "total" });
  await budget({
    name: "Of an agent that is gone",
    subjectType: "agent",
    subjectId: each.id,
  });
  await say(ada.token);
  await say(ada.token);
  await say(bob.token);
  const list = async () => (await ask("GET", "/api/v1/budgets")).body.items;
  await vi.waitFor(
    async () => expect((await list())[0]).toMatchObject({ spent: 600, highest: 400 }),
    90_000,
  );
  const [all, one, gone] = await list();
  expect(all).toMatchObject({
    subjectName: null,
    startsAt: expect.stringMatching(/-01T00:00/),
  });
  expect(one).toMatchObject({
    subjectName: "Person",
    spent: 400,
    highest: 400,
    startsAt: null,
  });
  expect(gone).toMatchObject({ subjectName: null, spent: 0, highest: 0 });
});

test("usage is narrowed to a model, an agent or a user; users see their own alone", async () => {
  const [ada, bob] = [await person(), await person()];
  const { body: agent } = await ask("POST", "/api/v1/agent", {
    token: ada.token,
    body: { name: "Counting agent" },
  });
  await say(ada.token, { agentId: agent.id });
  await say(ada.token);
  await say(bob.token);
  const usage = async (query: string, token?: string) =>
    (await ask("GET", `/api/v1/usage?${query}`, { ...(token && { token }) })).body.items;
  const requests = async (query: string, token?: string) =>
    (await usage(query, token)).reduce((sum, item) => sum + Number(item["requests"]), 0);
  await vi.waitFor(
    async () => expect(await requests(`userId=${ada.id}`)).toBeGreaterThanOrEqual(3),
    90_000,
  );
  expect(await usage("groupBy=agent", ada.token)).toContainEqual(
    expect.objectContaining({ group: agent.id, name: "Counting agent" }),
  );
  const ofAgent = await requests(`agentId=${agent.id}`, ada.token);
  expect(ofAgent).toBeGreaterThan(0);
  expect(await requests("agentId=none", ada.token)).toBe(
    (await requests("", ada.token)) - ofAgent,
  );
  expect(await requests("model=openai%2Fgpt-test", ada.token)).toBe(
    await requests("", ada.token),
  );
  expect(await requests("model=openai%2Fanother", ada.token)).toBe(0);
  expect(await usage(`groupBy=user&userId=${bob.id}`, ada.token)).toMatchObject([
    { group: ada.id },
  ]);
});

test("the time of usage is named by dates or by times", async () => {
  const ada = await person();
  await say(ada.token);
  const day = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const usage = (query: string) =>
    ask("GET", `/api/v1/usage?${query}`, { token: ada.token });
  const between = async (from: string, to: string) =>
    (await usage(`from=${from}&to=${to}`)).body.items.length;
  await vi.waitFor(async () => expect(await between(day(-1), day(2))).toBe(1), 90_000);
  expect(await between(day(-3), day(-1))).toBe(0);
  expect(await between(day(2), day(3))).toBe(0);
  expect(await between(`${day(-1)}T00:00:00Z`, day(2))).toBe(1);
  expect((await usage("from=yesterday")).status).toBe(400);
});

test("a group shares one amount, or each of its members has one; users in no group are not limited", async () => {
  const [ada, bob, eve] = [await person(), await person(), await person()];
  const group = async (name: string, members: { id: string }[]) => {
    const { body } = await ask("POST", "/api/v1/groups", { body: { name } });
    for (const { id } of members)
      await ask("PUT", `/api/v1/groups/${body.id}/members/${id}`);
    return body.id;
  };
  await budget({
    subjectType: "group",
    subjectId: await group(`pool-${number}`, [ada, bob]),
    share: "pool",
    amount: 200,
  });
  await say(ada.token);
  await vi.waitFor(async () => expect(await spent(bob.token)).toEqual([200]), 90_000);
  expect((await say(bob.token)).body.code).toBe("budget_exceeded");
  expect((await say(eve.token)).status).toBe(200);
  // usage before a budget exists does not count, once it is recorded
  const recorded = async () =>
    (await ask("GET", "/api/v1/usage?groupBy=model", { token: eve.token })).body.items[0];
  await vi.waitFor(
    async () => expect(await recorded()).toMatchObject({ requests: 2 }),
    90_000,
  );
  await budget({
    subjectType: "group",
    subjectId: await group(`each-${number}`, [eve]),
    share: "each",
    amount: 500,
  });
  await say(eve.token);
  await vi.waitFor(async () => expect(await spent(eve.token)).toEqual([200]), 90_000);
});

test("a budget names an existing group, and one of a deleted group limits nobody", async () => {
  const ada = await person();
  const fields = { name: "Group", subjectType: "group", unit: "tokens", period: "day" };
  const create = (subjectId: string) =>
    ask("POST", "/api/v1/budgets", { body: { ...fields, subjectId, amount: 1 } });
  expect((await create("sales")).status).toBe(400);
  const unknown = await create("00000000-0000-4000-8000-000000000000");
  expect(unknown).toMatchObject({ status: 404, body: { code: "group_not_found" } });

  const name = `gone-${number}`;
  const { body: group } = await ask("POST", "/api/v1/groups", { body: { name } });
  await ask("PUT", `/api/v1/groups/${group.id}/members/${ada.id}`);
  expect((await create(group.id)).status).toBe(201);
  expect((await ask("DELETE", `/api/v1/groups/${group.id}`)).status).toBe(204);
  expect((await say(ada.token)).status).toBe(200);
});

test("budgets can change while records are stored", async () => {
  const ada = await person();
  const members = `many-${number}`;
  const { body: group } = await ask("POST", "/api/v1/groups", { body: { name: members } });
  for (let round = 0; round < 8; round += 1)
    await Promise.all([
      ...Array.from({ length: 3 }, () =>
        budget({ subjectType: "group", subjectId: group.id, share: "each", amount: 1e9 }),
      ),
      ...Array.from({ length: 6 }, async () =>
        expect((await say(ada.token)).status).toBe(200),
      ),
    ]);
  const recorded = async () =>
    (await ask("GET", "/api/v1/usage?groupBy=model", { token: ada.token })).body.items[0];
  await vi.waitFor(
    async () => expect(await recorded()).toMatchObject({ requests: 96 }),
    90_000,
  );
});

test("an agent has a budget of its own, and the report lists what each agent used", async () => {
  const ada = await person();
  const { body: agent } = await ask("POST", "/api/v1/agent", {
    token: ada.token,
    body: { name: "Costly" },
  });
  await budget({ subjectType: "agent", subjectId: agent.id, unit: "tokens", amount: 50 });
  expect((await say(ada.token, { agentId: agent.id })).status).toBe(200);
  const used = async () => {
    const { items } = (
      await ask("GET", "/api/v1/usage?groupBy=agent", { token: ada.token })
    ).body;
    return items.find(({ group }) => group === agent.id);
  };
  await vi.waitFor(async () => expect(await used()).toBeDefined(), 90_000);
  expect((await say(ada.token, { agentId: agent.id })).body.code).toBe("budget_exceeded");
  expect((await say(ada.token)).status).toBe(200);
  expect(await used()).toMatchObject({
    requests: 1,
    inputTokens: 60,
    outputTokens: 40,
    cost: null,
  });
});

test("reports name only users of the administrator's organisation", async () => {
  const [ada, foreigner] = [await person(), await person({ clientId: "another" })];
  for (const { token } of [ada, foreigner]) expect((await say(token)).status).toBe(200);
  const names = async () => {
    const { items } = (await ask("GET", "/api/v1/usage?groupBy=user&limit=100")).body;
    return Object.fromEntries(items.map(({ group, name }) => [String(group), name]));
  };
  const expected = { [ada.id]: "Person", [foreigner.id]: null };
  await vi.waitFor(async () => expect(await names()).toMatchObject(expected), 90_000);
  const { items } = (await ask("GET", "/api/v1/usage?groupBy=day")).body;
  expect(items).toMatchObject([{ name: null }]);
});

test("only administrators create, read, change and delete budgets, and changes apply at once", async () => {
  const ada = await person();
  const made = await budget({ subjectId: ada.id, amount: 1 });
  await say(ada.token);
  await vi.waitFor(async () => expect((await say(ada.token)).status).toBe(429), 90_000);
  expect(
    (await ask("GET", `/api/v1/budgets/${made.id}/spending`)).body.items,
  ).toMatchObject([{ spender: ada.id, name: "Person" }]);
  expect(
    (await ask("PATCH", `/api/v1/budgets/${made.id}`, { body: { amount: 100_000 } })).body[
      "amount"
    ],
  ).toBe(100_000);
  expect((await say(ada.token)).status).toBe(200);
  for (const [method, path, body] of [
    ["GET", ""],
    ["POST", "", { name: "x" }],
    ["GET", `/${made.id}`],
    ["GET", `/${made.id}/spending`],
    ["PATCH", `/${made.id}`, {}],
    ["DELETE", `/${made.id}`],
  ] as const) {
    expect([
      method,
      path,
      (await ask(method, `/api/v1/budgets${path}`, { token: ada.token, body })).status,
    ]).toEqual([method, path, 403]);
    expect(
      (await ask(method, `/api/v1/budgets${path}`, { token: null, body })).status,
    ).toBe(401);
  }
  expect((await ask("DELETE", `/api/v1/budgets/${made.id}`)).status).toBe(204);
  expect((await ask("GET", `/api/v1/budgets/${made.id}`)).body.code).toBe(
    "budget_not_found",
  );
  expect(
    (
      await ask("POST", "/api/v1/budgets", {
        body: {
          name: "x",
          subjectType: "group",
          subjectId: "*",
          unit: "tokens",
          amount: 1,
          period: "day",
        },
      })
    ).status,
  ).toBe(400);
  expect(
    (
      await ask("POST", "/api/v1/budgets", {
        body: {
          name: "x",
          subjectType: "user",
          subjectId: "*",
          unit: "tokens",
          amount: -1,
          period: "day",
        },
      })
    ).status,
  ).toBe(400);
});

test.each([
  ["tokens", 250, 4, 0],
  ["tokens", 10_000, 6, 0],
  ["money", 0.00025, 4, 0],
  ["money", 0.00025, 3, 60],
])(
  "a reply may use %s of %d: at turn %d it ends without tools, with %d tokens into the cache",
  async (unit, amount, turns, cacheWriteInputTokens) => {
    const ada = await person();
    const { body: models } = await ask("GET", "/api/v1/available-models?limit=100");
    const { id } = models.items.find((item) => item["providerModelId"] === "gpt-test") ?? {
      id: "there is none",
    };
    const pricing = {
      inputPerMillion: 1,
      outputPerMillion: 1,
      cacheWriteInputPerMillion: 2,
    };
    expect(
      (
        await ask("PATCH", `/api/v1/available-models/${encodeURIComponent(id)}`, {
          body: { pricing },
        })
      ).status,
    ).toBe(200);
    await budget({ subjectType: "run", subjectId: "*", unit, amount });
    const answers: { tools: boolean }[] = [];
    provider.answer((_, { tools, messages }) => {
      if (String(messages[0]?.content).startsWith("Write a title"))
        return { text: ["Title"] };
      answers.push({ tools: tools !== undefined });
      const usage = { inputTokens: 60, outputTokens: 40, cacheWriteInputTokens };
      return answers.length < 6 && tools
        ? {
            toolCalls: [
              {
                name: "read_canvas",
                arguments: { canvasId: "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0" },
              },
            ],
            usage,
          }
        : { text: ["Enough"], usage };
    });
    const { body } = await say(ada.token, { tools: ["read_canvas"] });
    expect(body).toMatchObject({
      content: "Enough",
      finishReason: turns === 6 ? "stop" : "budget",
    });
    expect(answers.map(({ tools }) => tools)).toEqual([
      ...Array(turns - 1).fill(true),
      turns === 6,
    ]);
  },
);

test("runs by token or key count for the user's and the run's budgets; services check before", async () => {
  const ada = await person();
  const { body: made } = await ask("POST", "/api/v1/auth/api-keys", {
    token: ada.token,
    body: { name: "k", scopes: ["agent:use"] },
  });
  const usage = { inputTokens: 60, outputTokens: 40 };
  // it calls a tool that was not offered until it is offered none
  provider.answer((_, { tools }) =>
    tools
      ? { toolCalls: [{ name: "absent", arguments: {} }], usage }
      : { text: ["Enough"], usage },
  );
  const request = {
    model: "openai/gpt-test",
    messages: [{ role: "user", content: "hello" }],
    stream: false,
  };
  const run = async (
    headers: Record<string, string>,
    more: object = {},
    base = parlance.url,
  ) => {
    const body = JSON.stringify({ ...request, ...more });
    const response = await fetch(`${base}/api/v1/agent/run`, {
      method: "POST",
      headers: { ...JSON_BODY, ...headers },
      body,
    });
    return { status: response.status, ...((await response.json()) as object) };
  };
  const credentials: Record<string, string>[] = [
    { authorization: `Bearer ${ada.token}` },
    { "x-api-key": String(made["key"]) },
  ];

  await budget({ subjectType: "run", subjectId: "*", amount: 250 });
  await budget({ subjectId: ada.id, amount: 800 });
  for (const headers of credentials)
    expect(await run(headers, { tools: ["look"], approval: "destructive" })).toMatchObject({
      status: 200,
      finishReason: "budget",
      iterations: 4,
    });
  await vi.waitFor(async () => expect(await spent(ada.token)).toEqual([800]), 90_000);
  for (const headers of credentials)
    for (const stream of [true, false])
      expect(await run(headers, { stream })).toMatchObject({
        status: 429,
        code: "budget_exceeded",
      });
  expect(
    await run({}, { context: { userId: ada.id } }, parlance.internalUrl),
  ).toMatchObject({
    status: 200,
  });
});

test("what the platform asks models for a user counts for that user, and is refused like a message", async () => {
  provider.answer(() => ({
    text: ["Coffee is filtered here"],
    usage: { inputTokens: 60, outputTokens: 40 },
  }));
  const ada = await person();
  const { token } = ada;
  await budget({ subjectId: ada.id, amount: 300 });
  const german =
    "Der Kaffee wird hier am Nachmittag von der Köchin gefiltert und getrunken.";
  const translate = () =>
    ask("POST", "/api/v1/translation/translate", { token, body: { text: german } });
  const rerank = async () => {
    const body = {
      query: "coffee",
      grade: 0,
      rerank: { enabled: true, strategy: "llm" },
    };
    const found = await ask("POST", "/api/v1/rag/retrieve", { token, body });
    const { warnings } = found.body["pipeline"] as { warnings: { message: string }[] };
    return warnings.map(({ message }) => message).join();
  };
  const { body: folder } = await ask("POST", "/api/v1/documents/folders", {
    token,
    body: { name: "German", settings: { translate: true } },
  });
  const index = async (text: string, name: string) => {
    const fields = { folderId: folder.id };
    const { body } = await uploadFile(parlance, text, name, { token, fields });
    const path = `/api/v1/documents/${body.id}/events`;
    return (await eventsOf(await parlance.request(path, { token }))).at(-1)?.data;
  };
  const isSpent = (tokens: number) =>
    vi.waitFor(async () => expect(await spent(token)).toEqual([tokens]), 90_000);

  expect(await index(german, "one.md")).toMatchObject({ status: "PROCESSED" });
  await isSpent(100);
  expect(await rerank()).toContain("invalid");
  await isSpent(200);
  expect((await translate()).body).toMatchObject({ translated: true });
  await isSpent(300);
  const asked = provider.requests.length;
  expect(await translate()).toMatchObject({
    status: 429,
    body: { code: "budget_exceeded" },
  });
  expect(await rerank()).toContain('The budget "Limit" is used up.');
  expect(await index(`${german} Und Tee.`, "two.md")).toMatchObject({
    status: "FAILED",
    error: { code: "budget_exceeded" },
  });
  expect(provider.requests.length).toBe(asked);
});

test("a user whose roles permit no model gets no translation", async () => {
  const permissions = [{ action: "use", subject: "model", inverted: true }];
  await ask("POST", "/api/v1/roles", { body: { name: "without-models", permissions } });
  const email = "no-models@test.example";
  const password = "a long enough password";
  await ask("POST", "/api/v1/users", {
    body: { email, name: "Person", password, roles: ["user", "without-models"] },
  });
  const refused = await ask("POST", "/api/v1/translation/translate-batch", {
    token: await parlance.signIn(email, password),
    body: { texts: ["Guten Morgen, liebe Sonne, wie geht es dir heute?"] },
  });
  expect([refused.status, refused.body.code]).toEqual([403, "permission_missing"]);
});
