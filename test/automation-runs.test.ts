import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  type Automations,
  agentNameOf,
  automationsOf,
  inputOf,
} from "./support/automations.ts";
import { clientServer } from "./support/client-server.ts";
import { eventsOf, type TestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { startToolServer, text as said, type ToolServer } from "./support/tool-server.ts";
import { settingsOf } from "./support/scripted-server.ts";

let parlance: TestServer;
let provider: ScriptedProvider;
let tools: ToolServer;
let north: Automations;
let colleague: Automations;
let south: Automations;
let chief: Automations;

beforeAll(async () => {
  provider = await startScriptedProvider();
  tools = await startToolServer({
    wipe: {
      annotations: { destructiveHint: true, readOnlyHint: false },
      run: () => said("wiped"),
    },
  });
  const made = await clientServer({
    MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
    ...settingsOf(provider),
    AUTOMATION_RETRY_WAIT: "50",
  });
  parlance = made.parlance;
  north = automationsOf(parlance, await made.tokenOf("nora", "north"));
  colleague = automationsOf(parlance, await made.tokenOf("nick", "north"));
  south = automationsOf(parlance, await made.tokenOf("sam", "south"));
  chief = automationsOf(parlance, await made.tokenOf("nell", "north", ["admin"]));
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.answer((_, { messages }) => ({ text: [`by ${agentNameOf(messages)}`] }));
  provider.requests.length = 0;
});
const asked = (name: string) =>
  provider.requests.filter(({ messages }) => agentNameOf(messages) === name);

test("the most specific rule of the client matches, only its agent runs, and it gets the documented input", async () => {
  const [wide, exact, foreign] = [
    await north.agent("wide"),
    await north.agent("exact"),
    await south.agent("foreign"),
  ];
  await north.rule({ type: "text/*", origin: "uploads/**", agents: [wide] });
  const rule = await north.rule({
    name: "Minutes",
    type: "text/markdown",
    origin: "uploads/*",
    agents: [exact],
  });
  await south.rule({ type: "text/markdown", origin: "uploads/notes", agents: [foreign] });
  const text =
    "# Minutes\nWe decided to begin on Monday, and everybody was content with the decision.";
  const sent = await north.send(text, "minutes.md", {
    origin: "uploads/notes",
    metadata: '{"room": "blue"}',
    tags: "board",
  });
  expect(sent).toMatchObject({ status: 202, body: { ruleId: rule } });
  const run = await north.ended(sent.body.runId);
  expect(run).toMatchObject({
    status: "completed",
    ruleId: rule,
    name: "Minutes",
    origin: "uploads/notes",
    transcript: text,
    language: "en",
    medium: {
      filename: "minutes.md",
      mimeType: "text/markdown",
      size: text.length,
      tags: ["board"],
      metadata: { room: "blue" },
    },
    agents: [{ agentId: exact, status: "completed", tries: 1, output: "by exact" }],
  });
  expect(inputOf(asked("exact")[0]?.messages ?? [])).toEqual({
    conversation: {
      id: run.conversationId,
      transcript: text,
      metadata: {
        room: "blue",
        filename: "minutes.md",
        duration: null,
        language: "en",
        mime_type: "text/markdown",
        tags: ["board"],
      },
    },
    automation: {
      rule_id: rule,
      type: "text/markdown",
      origin: "uploads/notes",
      run_id: run.id,
    },
  });
  expect([asked("wide").length, asked("foreign").length]).toEqual([0, 0]);
  // both conversations belong to the uploader
  const words = async (id: string | null | undefined) =>
    (await north.get<{ title: string; messages: { content: string }[] }>(
      `/api/v1/conversation/${id}`,
    )) ?? {};
  expect(await words(run.conversationId)).toMatchObject({
    title: "Minutes: minutes.md",
    messages: [{ content: text }],
  });
  expect((await words(run.agents[0]?.conversationId)).messages[1]).toMatchObject({
    content: "by exact",
  });
});

test("another client's rules never match, and a colleague's runs cannot be seen, stopped, repeated or deleted", async () => {
  const agent = await south.agent("southern");
  const rule = await south.rule({ type: "note", origin: "south", agents: [agent] });
  const taken = await north.send("hello there", "a.txt", { origin: "south", type: "note" });
  expect(taken.body.ruleId).toBeNull();
  expect((await north.run(taken.body.runId)).status).toBe("unmatched");
  const own = await south.send("hello there", "a.txt", { origin: "south", type: "note" });
  expect(own.body.ruleId).toBe(rule);
  await south.ended(own.body.runId);
  for (const stranger of [north, colleague]) {
    const path = `/api/automations/runs/${own.body.runId}`;
    for (const [method, more] of [
      ["GET", ""],
      ["GET", "/events"],
      ["POST", "/cancel"],
      ["POST", "/rerun"],
      ["DELETE", ""],
    ] as const)
      expect([more, (await stranger.ask(method, path + more)).body.code]).toEqual([
        more,
        "run_not_found",
      ]);
  }
  for (const [method, body] of [["GET"], ["PATCH", { name: "mine" }], ["DELETE"]] as const)
    expect((await north.ask(method, `/api/automations/${rule}`, body)).status).toBe(404);
  const list = await south.get<{ total: number; items: { id: string }[] }>(
    "/api/automations/runs?limit=1&status=completed",
  );
  expect(list).toMatchObject({ total: 1, items: [{ id: own.body.runId }] });
  expect((await colleague.get<{ total: number }>("/api/automations/runs")).total).toBe(0);
});

test("agents run as the uploader: one that is not shared with the uploader does not run", async () => {
  const agent = await chief.agent("private");
  await chief.rule({ type: "private-note", agents: [agent] });
  const { body } = await colleague.send("hello there", "a.txt", { type: "private-note" });
  const run = await colleague.ended(body.runId);
  expect(run).toMatchObject({
    status: "failed",
    agents: [{ status: "failed", tries: 1, error: { code: "agent_not_found" } }],
  });
  expect(asked("private")).toEqual([]);
});

test("dependent agents start after others and get their output, independent ones run in parallel, and events report progress", async () => {
  const [one, two, sum] = [
    await north.agent("one"),
    await north.agent("two"),
    await north.agent("sum"),
  ];
  await north.rule({
    type: "graph",
    agents: [one, two, { id: sum, depends_on: [one, two], priority: 5 }],
  });
  const waiting = new Set<string>();
  provider.answer((_, { messages }) => {
    const name = agentNameOf(messages);
    waiting.add(name);
    return { text: [`by ${name}`], delayMs: 300 };
  });
  const { body } = await north.send("words", "a.txt", { type: "graph" });
  const events = await eventsOf(
    await parlance.request(`/api/automations/runs/${body.runId}/events`, {
      token: north.token,
    }),
  );
  expect(events.at(-1)).toMatchObject({ event: "run", data: { status: "completed" } });
  const states = (id: string) =>
    events.filter(({ data }) => data["agentId"] === id).map(({ data }) => data["status"]);
  expect(states(sum).at(0)).toBe("waiting");
  expect(states(sum).at(-1)).toBe("completed");
  expect(inputOf(asked("sum")[0]?.messages ?? []).previous).toEqual([
    { agent_id: one, output: "by one" },
    { agent_id: two, output: "by two" },
  ]);
  expect(provider.requests.map(({ messages }) => agentNameOf(messages)).at(-1)).toBe("sum");
});

test("a failed attempt is retried as often as the rule says, a slow one times out, and what depends on it is skipped", async () => {
  const [flaky, slow, after] = [
    await north.agent("flaky"),
    await north.agent("slow"),
    await north.agent("after"),
  ];
  await north.rule({
    type: "faults",
    agents: [
      { id: flaky, retry_count: 2 },
      { id: slow, timeout: 1 },
      { id: after, depends_on: [slow] },
    ],
  });
  let tries = 0;
  provider.answer((_, { messages }) => {
    if (agentNameOf(messages) === "slow")
      return { text: ["…"], fault: "stall", faultAfter: 1 };
    tries += 1;
    return tries < 3
      ? { text: ["half"], fault: "cut", faultAfter: 1 }
      : { text: ["whole"] };
  });
  const { body } = await north.send("words", "a.txt", { type: "faults" });
  const run = await north.ended(body.runId);
  expect(run).toMatchObject({
    status: "failed",
    error: { code: "agents_failed" },
    agents: [
      { status: "completed", tries: 3, output: "whole" },
      { status: "failed", error: { code: "agent_timeout", params: { seconds: 1 } } },
      { status: "skipped", error: { code: "dependency_failed" } },
    ],
  });

  // what did not complete runs again, and the output that is there stays
  provider.answer((_, { messages }) => ({ text: [`again by ${agentNameOf(messages)}`] }));
  const path = `/api/automations/runs/${body.runId}`;
  const retried = await north.ask("POST", `${path}/retry`);
  expect(retried).toMatchObject({ status: 202, body: { status: "running", error: null } });
  expect(await north.ended(body.runId)).toMatchObject({
    status: "completed",
    agents: [
      { status: "completed", tries: 3, output: "whole" },
      { status: "completed", output: "again by slow", error: null },
      { status: "completed", output: "again by after" },
    ],
  });
  expect((await north.ask("POST", `${path}/retry`)).body.code).toBe("nothing_to_retry");
});

test("a cancelled run stops its reply at once, and can be repeated with the same text", async () => {
  const agent = await north.agent("endless");
  await north.rule({ type: "endless", agents: [agent] });
  provider.answer(() => ({
    text: Array.from({ length: 10_000 }, () => "word "),
    delayMs: 20,
  }));
  const { body } = await north.send("the words", "a.txt", { type: "endless" });
  await vi.waitFor(() => expect(asked("endless").length).toBe(1), 90_000);
  const path = `/api/automations/runs/${body.runId}`;
  for (const [method, more] of [
    ["POST", "/rerun"],
    ["POST", "/retry"],
    ["DELETE", ""],
  ] as const)
    expect((await north.ask(method, path + more)).body.code).toBe("still_in_work");
  const cancelled = await north.ask("POST", `${path}/cancel`);
  expect(cancelled.body).toMatchObject({
    status: "cancelled",
    agents: [{ status: "cancelled" }],
  });
  expect((await north.ask("POST", `${path}/cancel`)).body.code).toBe("not_in_work");
  await vi.waitFor(() => expect(provider.aborted).toBeGreaterThan(0), 90_000);
  provider.answer(() => ({ text: ["done"] }));
  const again = await north.ask("POST", `${path}/rerun`);
  const run = await north.ended(String(again.body["runId"]));
  expect(run).toMatchObject({
    status: "completed",
    rerunOf: body.runId,
    transcript: "the words",
    agents: [{ output: "done" }],
  });
  expect((await north.ask("DELETE", path)).status).toBe(204);
  expect((await north.ask("GET", path)).status).toBe(404);
});

test("a repeated key returns the same run, another medium under it is refused, and an unreadable one is refused with a reason", async () => {
  const agent = await north.agent("once");
  await north.rule({ type: "once", agents: [agent] });
  const fields = { type: "once" };
  const key = { "idempotency-key": "k1" };
  const answers = await Promise.all(
    [1, 2, 3].map(() => north.send("same", "a.txt", fields, key)),
  );
  expect(new Set(answers.map(({ body }) => body.runId)).size).toBe(1);
  expect((await north.send("other", "a.txt", fields, key)).body.code).toBe(
    "idempotency_key_reused",
  );
  expect((await north.send("", "a.txt")).body.code).toBe("file_empty");
  expect((await north.send(Uint8Array.of(0, 1, 2, 3), "a.txt")).body.code).toBe(
    "file_type_unsupported",
  );
  expect((await north.send("x", "a.txt", { metadata: "[1]" })).body.code).toBe(
    "validation_failed",
  );
  await north.ended(answers[0]?.body.runId ?? "");
  expect(asked("once").length).toBe(1);
});

test("an agent's output is not sent to the rule that produced it, whether its sender or its text reveals that", async () => {
  const [writer, reader] = [await north.agent("writer"), await north.agent("reader")];
  const rule = await north.rule({ type: "loop", origin: "loop/*", agents: [writer] });
  provider.answer(() => ({ text: ["An essay on loops."] }));
  const first = await north.send("write", "a.txt", { type: "loop", origin: "loop/a" });
  expect(first.body.ruleId).toBe(rule);
  await north.ended(first.body.runId);
  const told = await north.send("changed since", "b.txt", {
    type: "loop",
    origin: "loop/b",
    madeByRun: first.body.runId,
  });
  expect(told.body.ruleId).toBeNull();
  expect(
    (await north.send("An essay  on loops.\n", "b.txt", { type: "loop", origin: "loop/b" }))
      .body.ruleId,
  ).toBeNull();
  // the same text of another user does not count
  const others = await colleague.rule({
    type: "loop",
    origin: "loop/*",
    agents: [await colleague.agent("other")],
  });
  expect(
    (
      await colleague.send("An essay on loops.", "b.txt", {
        type: "loop",
        origin: "loop/b",
      })
    ).body.ruleId,
  ).toBe(others);
  // another rule matches it, and the output of that matches neither
  const second = await north.rule({ type: "loop", origin: "loop/**", agents: [reader] });
  const next = await north.send("changed since", "b.txt", {
    type: "loop",
    origin: "loop/b",
    madeByRun: first.body.runId,
  });
  expect(next.body.ruleId).toBe(second);
  await north.ended(next.body.runId);
  const last = await north.send("again", "c.txt", {
    type: "loop",
    origin: "loop/c",
    madeByRun: next.body.runId,
  });
  expect(last.body.ruleId).toBeNull();
});

test("a destructive tool call waits for the uploader's decision, and the run continues with it", async () => {
  const agent = await north.agent("wiper", { tools: ["wipe"] });
  const after = await north.agent("after");
  await north.rule({
    type: "wipe",
    agents: [
      { id: agent, timeout: 20 },
      { id: after, depends_on: [agent] },
    ],
  });
  provider.answer((_, { messages }) => {
    if (agentNameOf(messages) !== "wiper" || messages.at(-1)?.role === "tool")
      return { text: [`by ${agentNameOf(messages)}`] };
    return { toolCalls: [{ name: "wipe", arguments: {} }] };
  });
  const { body } = await north.send("wipe it", "a.txt", { type: "wipe" });
  const waiting = await vi.waitFor(
    async () => {
      const run = await north.run(body.runId);
      expect(run.agents.map(({ status }) => status)).toEqual(["approval", "waiting"]);
      return run.agents[0]?.conversationId;
    },
    { timeout: 90_000, interval: 200 },
  );
  expect(tools.calls).toEqual([]);
  const { messages } = await north.get<{
    messages: { waiting: { toolCallId: string }[] }[];
  }>(`/api/v1/conversation/${waiting}`);
  const toolCallId = messages.at(-1)?.waiting[0]?.toolCallId;
  const decided = await north.ask("POST", `/api/v1/conversation/${waiting}/approve`, {
    toolCallId,
    decision: "approve",
  });
  expect(decided.status).toBe(200);
  expect(await north.ended(body.runId)).toMatchObject({
    status: "completed",
    agents: [
      { status: "completed", tries: 1, output: "by wiper", conversationId: waiting },
      { status: "completed", output: "by after" },
    ],
  });
  expect(tools.calls).toEqual(["wipe"]);
});
