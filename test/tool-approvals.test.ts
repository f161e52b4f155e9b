import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { newPerson } from "./support/ask.ts";
import {
  isTitle,
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { eventsOf, type TestServer, startTestServer } from "./support/server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";
import { settingsOf } from "./support/scripted-server.ts";

let provider: ScriptedProvider;
let tools: ToolServer;
let parlance: TestServer;
let ada: { id: string; token: string };
let bert: { id: string; token: string };

/** The model calls these tools at once, then answers. */
const callTools = (...names: string[]) =>
  provider.answer((_, body) => {
    if (isTitle(body)) return { text: ["t"] };
    if (body.messages.at(-1)?.role === "tool") return { text: ["done"] };
    const id = () => crypto.randomUUID();
    return { toolCalls: names.map((name) => ({ id: id(), name, arguments: {} })) };
  });

beforeAll(async () => {
  provider = await startScriptedProvider();
  tools = await startToolServer({
    bare: { annotations: null, run: () => text("ran") },
    other: { annotations: null, run: () => text("ran") },
    look: { annotations: { readOnlyHint: true }, run: () => text("seen") },
  });
  parlance = await startTestServer({
    ...settingsOf(provider),
    MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
  });
  await vi.waitFor(async () => {
    const listed = await parlance.request("/mcp/v1/tools");
    expect(await listed.json()).toMatchObject({ total: 3 });
  }, 90_000);
  ada = await newPerson(parlance, "ada-approves");
  bert = await newPerson(parlance, "bert-approves");
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => void (tools.calls.length = 0));

const ALL = ["bare", "other", "look"];
const send = (token: string, more: object = {}) =>
  parlance.request("/api/v1/conversation", {
    token,
    body: { content: "go", tools: ALL, ...more },
  });
/** The calls that wait after a message, and its conversation. */
const ask = async (token: string, more: object = {}) => {
  const events = await eventsOf(await send(token, more));
  const waiting = events
    .filter(({ event }) => event === "approval")
    .map(({ data }) => data);
  return {
    id: String(events[0]?.data["conversationId"]),
    waiting,
    names: waiting.map(({ name }) => name),
    finish: events.at(-1)?.data["finishReason"],
  };
};
const decide = async (token: string, id: string, toolCallId: unknown, decision: string) => {
  const path = `/api/v1/conversation/${id}/approve`;
  const response = await parlance.request(path, { token, body: { toolCallId, decision } });
  expect(response.status).toBe(200);
  return (await response.json()) as { waiting: number };
};
const rest = async (token: string, id: string) =>
  (
    await eventsOf(await parlance.request(`/api/v1/conversation/${id}/stream`, { token }))
  ).at(-1);
const classify = (tool: string, effect: string | null, token = parlance.token) =>
  parlance.request(`/mcp/v1/tools/town/${tool}`, {
    method: "PUT",
    token,
    body: { effect },
  });
const allowed = async (token: string) => {
  const response = await parlance.request("/api/v1/conversation/allowed-tools", { token });
  return (await response.json()) as {
    items: { server: string; name: string }[];
    total: number;
  };
};

test("a tool without annotations waits for a user; a read-only one does not", async () => {
  callTools("bare", "look");
  const { names, finish } = await ask(ada.token);
  expect([names, finish]).toEqual([["bare"], "approval"]);
  expect(tools.calls).toEqual(["look"]);
});

const waitingOf = async (token: string) => {
  const response = await parlance.request("/api/v1/conversation/waiting?limit=2", {
    token,
  });
  return (await response.json()) as { items: Record<string, unknown>[]; total: number };
};

test("its owner finds a reply that waits, until it is decided or the conversation goes on", async () => {
  const eve = await newPerson(parlance, "eve-finds-what-waits");
  callTools("bare", "other");
  const first = await ask(eve.token);
  const second = await ask(eve.token);
  const { items, total } = await waitingOf(eve.token);
  expect(total).toBe(2);
  expect(items).toMatchObject([
    {
      conversationId: second.id,
      name: "bare",
      server: "town",
      calls: 2,
      toolCallId: second.waiting[0]?.["toolCallId"],
      because: null,
      arguments: {},
    },
    { conversationId: first.id },
  ]);
  const [one, other] = first.waiting.map(({ toolCallId }) => toolCallId);
  await decide(eve.token, first.id, one, "deny");
  expect((await waitingOf(eve.token)).items[1]).toMatchObject({ name: "other", calls: 1 });
  await decide(eve.token, first.id, other, "deny");
  await rest(eve.token, first.id);
  expect((await waitingOf(eve.token)).items).toMatchObject([{ conversationId: second.id }]);
  callTools("look");
  await ask(eve.token, { conversationId: second.id });
  expect(await waitingOf(eve.token)).toMatchObject({ items: [], total: 0 });
});

test("nobody finds what waits in the conversations of others, or in the trash", async () => {
  const eve = await newPerson(parlance, "eve-waits-alone");
  const dan = await newPerson(parlance, "dan-waits-for-nothing");
  callTools("bare");
  const { id } = await ask(eve.token);
  expect((await waitingOf(dan.token)).total).toBe(0);
  expect((await waitingOf(eve.token)).total).toBe(1);
  await parlance.request(`/api/v1/conversation/${id}`, {
    method: "DELETE",
    token: eve.token,
  });
  expect((await waitingOf(eve.token)).total).toBe(0);
});

test("an agent can ask before every call, also of tools that only read", async () => {
  callTools("look");
  const agent = await parlance.request("/api/v1/agent", {
    token: ada.token,
    body: { name: "Careful", tools: ALL, approval: "always" },
  });
  const { id: agentId } = (await agent.json()) as { id: string };
  const { names, finish } = await ask(ada.token, { agentId, tools: undefined });
  expect([names, finish]).toEqual([["look"], "approval"]);
});

test("an always-allowed tool asks that user once, and every other user separately", async () => {
  callTools("bare", "bare", "other");
  const first = await ask(ada.token);
  expect(first.names).toEqual(["bare", "bare", "other"]);
  const [bare, , other] = first.waiting;
  // the other call of the same tool is decided with it
  expect(await decide(ada.token, first.id, bare?.["toolCallId"], "always")).toEqual({
    waiting: 1,
    messageId: expect.any(String),
  });
  await decide(ada.token, first.id, other?.["toolCallId"], "deny");
  expect(await rest(ada.token, first.id)).toMatchObject({ data: { content: "done" } });
  expect(tools.calls).toEqual(["bare", "bare"]);

  expect((await ask(ada.token)).names).toEqual(["other"]);
  expect((await ask(bert.token)).names).toEqual(["bare", "bare", "other"]);
  callTools("bare");
  const unasked = await ask(ada.token);
  expect([unasked.names, unasked.finish]).toEqual([[], "stop"]);
  expect((await ask(ada.token, { approval: "always" })).names).toEqual(["bare"]);

  expect(await allowed(ada.token)).toMatchObject({
    total: 1,
    items: [{ server: "town", name: "bare" }],
  });
  expect(await allowed(bert.token)).toMatchObject({ total: 0 });
  const path = "/api/v1/conversation/allowed-tools/town/bare";
  const revoke = async (token: string) =>
    (await parlance.request(path, { method: "DELETE", token })).status;
  expect(await revoke(bert.token)).toBe(404);
  expect(await revoke(ada.token)).toBeLessThan(300);
  expect(await revoke(ada.token)).toBe(404);
  expect((await ask(ada.token)).names).toEqual(["bare"]);
});

test("an administrator's classification decides about approvals, and is audited; nobody else classifies", async () => {
  expect((await classify("other", "read_only", ada.token)).status).toBe(403);
  expect(await (await classify("other", "read_only")).json()).toMatchObject({
    server: "town",
    tool: "other",
    effect: "read_only",
    effectBy: "administrator",
  });
  await vi.waitFor(async () => {
    callTools("other");
    expect((await ask(bert.token)).names).toEqual([]);
  }, 90_000);
  await vi.waitFor(async () => {
    const audit = await parlance.request("/api/v1/audit?resourceId=town/other");
    expect(await audit.json()).toMatchObject({ total: 1 });
  }, 90_000);
  await classify("look", "destructive");
  await vi.waitFor(async () => {
    callTools("look");
    expect((await ask(bert.token)).names).toEqual(["look"]);
  }, 90_000);
  await classify("other", null);
  await classify("look", null);
});

test("a changed tool asks again, whatever was allowed or classified before", async () => {
  callTools("bare");
  const { id, waiting } = await ask(ada.token);
  await decide(ada.token, id, waiting[0]?.["toolCallId"], "always");
  await rest(ada.token, id);
  expect((await ask(ada.token)).names).toEqual([]);
  tools.tools["bare"] = {
    annotations: null,
    description: "Now it deletes.",
    run: () => text("gone"),
  };
  await parlance.request("/mcp/v1/refresh", { method: "POST" });
  await vi.waitFor(async () => {
    const approved = await parlance.request("/mcp/v1/tools/approve", {
      body: { server: "town", name: "bare" },
    });
    expect(approved.status).toBe(200);
  }, 90_000);
  await vi.waitFor(
    async () => expect((await ask(ada.token)).names).toEqual(["bare"]),
    90_000,
  );
});

test("a user cannot run destructive tools without approval; an administrator can", async () => {
  callTools("other");
  const refused = await send(ada.token, { approval: "never", stream: false });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: "approval_required" });
  expect(
    (await send(ada.token, { approval: "never", tools: [], stream: false })).status,
  ).toBe(200);
  expect((await ask(parlance.token, { approval: "never" })).finish).toBe("stop");
  expect(tools.calls).toEqual(["other"]);
});

test("continuing without a decision does not run the call, and the model learns that", async () => {
  callTools("other");
  const { id } = await ask(ada.token);
  provider.requests.length = 0;
  provider.answer(() => ({ text: ["never mind"] }));
  await eventsOf(await send(ada.token, { conversationId: id, tools: [] }));
  const told = provider.requests.find((body) => !isTitle(body))?.messages;
  expect(told?.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  expect(told?.[2]?.content).toMatch(/^not_run/);
});

/** The same, with a model that uses 100 tokens a turn and calls the tool as long as it may. */
const callForever = (name: string) =>
  provider.answer((_, body) => {
    const usage = { inputTokens: 60, outputTokens: 40 };
    if (isTitle(body)) return { text: ["t"], usage: { inputTokens: 0, outputTokens: 0 } };
    if (!body.tools) return { text: ["done"], usage };
    return { toolCalls: [{ id: crypto.randomUUID(), name, arguments: {} }], usage };
  });
const refusal = async (token: string, id: string, toolCallId: unknown) => {
  const path = `/api/v1/conversation/${id}/approve`;
  const body = { toolCallId, decision: "approve" };
  const response = await parlance.request(path, { token, body });
  return ((await response.json()) as { code: string }).code;
};
const budget = async (fields: object) => {
  const body = { name: "Limit", unit: "tokens", period: "month", ...fields };
  const made = await parlance.request("/api/v1/budgets", { body });
  const { id } = (await made.json()) as { id: string };
  return (fields: object) =>
    parlance.request(`/api/v1/budgets/${id}`, { method: "PATCH", body: fields });
};

test("a decision continues no reply of a user whose budget is used up", async () => {
  const eve = await newPerson(parlance, "eve-approves");
  const change = await budget({ subjectType: "user", subjectId: eve.id, amount: 50 });
  callForever("bare");
  const { id, waiting } = await ask(eve.token);
  await vi.waitFor(async () => {
    const mine = await parlance.request("/api/v1/budgets/mine", { token: eve.token });
    expect(await mine.json()).toMatchObject({ budgets: [{ exceeded: true }] });
  }, 90_000);
  const call = waiting[0]?.["toolCallId"];
  expect(await refusal(eve.token, id, call)).toBe("budget_exceeded");
  expect(tools.calls).toEqual([]);
  await change({ amount: 5_000 });
  await vi.waitFor(async () => {
    expect((await decide(eve.token, id, call, "approve")).waiting).toBe(0);
  }, 90_000);
});

test("the budget of a run counts what the reply used before each decision", async () => {
  const agent = await parlance.request("/api/v1/agent", {
    token: ada.token,
    body: { name: "Frugal", tools: ALL },
  });
  const { id: agentId } = (await agent.json()) as { id: string };
  await budget({ subjectType: "run", subjectId: agentId, amount: 150 });
  callForever("other");
  const { id, waiting } = await ask(ada.token, { agentId, tools: undefined });
  await decide(ada.token, id, waiting[0]?.["toolCallId"], "approve");
  expect(await rest(ada.token, id)).toMatchObject({ data: { finishReason: "approval" } });
  const path = `/api/v1/conversation/${id}/messages`;
  const thread = await parlance.request(path, { token: ada.token });
  const { items } = (await thread.json()) as {
    items: { waiting: { toolCallId: string }[] }[];
  };
  await decide(ada.token, id, items.at(-1)?.waiting[0]?.toolCallId, "approve");
  expect(await rest(ada.token, id)).toMatchObject({
    data: {
      finishReason: "budget",
      usage: { inputTokens: 180, outputTokens: 120, contextTokens: 100 },
    },
  });
});

test("a decision continues no reply of an agent that is not shared with the user any more", async () => {
  const agent = await parlance.request("/api/v1/agent", {
    token: ada.token,
    body: { name: "Lent", tools: ALL },
  });
  const { id: resourceId } = (await agent.json()) as { id: string };
  const shares = [{ subjectType: "user", subjectId: bert.id, accessRole: "viewer" }];
  const shared = await parlance.request("/api/v1/sharing/share", {
    token: ada.token,
    body: { resourceType: "agent", resourceId, shares },
  });
  const made = (await shared.json()) as { shares: { id: string }[] };
  callTools("other");
  const { id, waiting } = await ask(bert.token, { agentId: resourceId, tools: undefined });
  const revoked = await parlance.request(
    `/api/v1/sharing/shares/${made.shares[0]?.id ?? ""}`,
    { method: "DELETE", token: ada.token },
  );
  expect(revoked.status).toBeLessThan(300);
  expect(await refusal(bert.token, id, waiting[0]?.["toolCallId"])).toBe("agent_gone");
  expect(tools.calls).toEqual([]);
});
