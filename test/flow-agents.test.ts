import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askBelow, newPerson } from "./support/ask.ts";
import { flowServer } from "./support/flow-server.ts";
import { eventsOf } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { held } from "./support/held.ts";

let at: Awaited<ReturnType<typeof flowServer>>;
let provider: ScriptedProvider;
let serial = 0;
beforeAll(async () => {
  provider = await startScriptedProvider();
  at = await flowServer({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: provider.url });
});
afterAll(async () => {
  await at[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const core = askBelow(() => at.parlance, "/api/v1");
const person = () => newPerson(at.parlance, `talker-${(serial += 1)}`);
const newAgent = async (token: string, flowId: string, more: object = {}) =>
  (
    await core("POST", "/agent", {
      token,
      body: { name: "Runs a flow", type: "workflow", flowId, ...more },
    })
  ).body.id;
const say = (token: string, body: object) =>
  core("POST", "/conversation", {
    token,
    body: { content: "good day to you", stream: false, ...body },
  });
const upload = async (token: string, name: string, content: string): Promise<string> => {
  const form = new FormData();
  form.append("file", new File([content], name));
  const response = await fetch(`${at.parlance.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return ((await response.json()) as { id: string }).id;
};

test("a workflow agent answers with its flow, token by token", async () => {
  const anne = await person();
  const agentId = await newAgent(anne.token, await at.newFlow(anne.token, "words"));
  const response = await at.parlance.request("/api/v1/conversation", {
    token: anne.token,
    body: { content: "one two three", agentId },
  });
  const events = await eventsOf(response);
  const deltas = events
    .filter(({ event }) => event === "text_delta")
    .map(({ data }) => data["delta"]);
  expect(deltas.join("")).toBe("one two three");
  expect(events.at(-1)).toMatchObject({
    event: "done",
    data: { content: "one two three", finishReason: "stop" },
  });
});

test("replies of one conversation share the flow's memory, and no other conversation or user does", async () => {
  const anne = await person();
  const bert = await person();
  const flowId = await at.newFlow(anne.token);
  await at.grant(bert.id, flowId);
  const [ofAnne, ofBert] = [
    await newAgent(anne.token, flowId),
    await newAgent(bert.token, flowId),
  ];
  at.langflow.runs.length = 0;
  const first = (await say(anne.token, { agentId: ofAnne })).body;
  await say(anne.token, { conversationId: first.conversationId });
  await say(anne.token, { agentId: ofAnne });
  await say(bert.token, { agentId: ofBert });
  const sessions = at.langflow.runs.map((run) => run.session_id);
  expect(sessions[1]).toBe(sessions[0]);
  expect(new Set(sessions).size).toBe(3);
});

test("users who may not run the flow get no answer of it, also after a revocation", async () => {
  const anne = await person();
  const bert = await person();
  const flowId = await at.newFlow(anne.token);
  await at.grant(bert.id, flowId);
  const agentId = await newAgent(bert.token, flowId);
  const failed = (answer: { body: { [field: string]: unknown } }) => answer.body;
  await at.revoke({ userIds: [bert.id], flowId });
  expect(failed(await say(bert.token, { agentId }))).toMatchObject({
    code: "flow_not_found",
  });
  await at.grant(bert.id, flowId);
  expect((await say(bert.token, { agentId })).body["content"]).toBe("good day to you");
  await at.revoke({ userIds: [bert.id], flowId });
  expect(failed(await say(bert.token, { agentId }))).toMatchObject({
    code: "flow_not_found",
  });
  held("flows", 2);
});

test("an agent is refused a flow that is unknown or that its creator may not run", async () => {
  const anne = await person();
  const bert = await person();
  const [flowId, other] = [await at.newFlow(anne.token), await at.newFlow(anne.token)];
  const refused = { status: 404, body: { code: "flow_not_found" } };
  const make = (token: string, more: object) =>
    core("POST", "/agent", { token, body: { name: "Runs a flow", ...more } });
  for (const unknown of [randomUUID(), "no-id"])
    expect(await make(anne.token, { type: "workflow", flowId: unknown })).toMatchObject(
      refused,
    );
  expect(await make(anne.token, { tools: [`flow_${randomUUID()}`] })).toMatchObject(
    refused,
  );
  expect(await make(bert.token, { type: "workflow", flowId })).toMatchObject(refused);
  await at.grant(bert.id, flowId);
  const agent = await make(bert.token, { type: "workflow", flowId });
  expect(agent.status).toBe(201);
  const change = (body: object) =>
    core("PATCH", `/agent/${agent.body.id}`, { token: bert.token, body });
  expect(await change({ flowId: other })).toMatchObject(refused);
  expect(await change({ tools: [`flow_${other}`] })).toMatchObject(refused);
  // a flow that the agent already has does not prevent other changes
  await at.revoke({ userIds: [bert.id], flowId });
  expect((await change({ name: "Renamed", flowId })).status).toBe(200);
});

test("revoking a flow ends a reply in progress", async () => {
  const anne = await person();
  const bert = await person();
  const flowId = await at.newFlow(anne.token, "endless");
  await at.grant(bert.id, flowId);
  const agentId = await newAgent(bert.token, flowId);
  const response = await at.parlance.request("/api/v1/conversation", {
    token: bert.token,
    body: { content: "until taken", agentId },
  });
  const left = at.langflow.counts.runsLeft;
  await vi.waitFor(
    () => expect(at.langflow.runs.at(-1)?.input_value).toBe("until taken"),
    90_000,
  );
  await at.revoke({ userIds: [bert.id], flowId });
  expect((await eventsOf(response)).at(-1)).toMatchObject({
    event: "error",
    data: { code: "flow_revoked" },
  });
  await vi.waitFor(() => expect(at.langflow.counts.runsLeft).toBe(left + 1), 90_000);
});

test("stopping a reply stops its flow at the provider", async () => {
  const anne = await person();
  const agentId = await newAgent(anne.token, await at.newFlow(anne.token, "endless"));
  const left = at.langflow.counts.runsLeft;
  const response = await at.parlance.request("/api/v1/conversation", {
    token: anne.token,
    body: { content: "go on", agentId },
  });
  const reader = response.body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  const conversationId = /"conversationId":"([^"]+)"/.exec(first)?.[1] ?? "";
  await vi.waitFor(
    () => expect(at.langflow.runs.at(-1)?.input_value).toBe("go on"),
    90_000,
  );
  expect(
    (await core("POST", `/conversation/${conversationId}/stop`, { token: anne.token }))
      .status,
  ).toBeLessThan(300);
  await vi.waitFor(() => expect(at.langflow.counts.runsLeft).toBe(left + 1), 90_000);
  await reader?.cancel();
});

test("files of the conversation are sent to the flow unchanged, and deleted there afterwards", async () => {
  const anne = await person();
  const agentId = await newAgent(anne.token, await at.newFlow(anne.token, "files"));
  const file = await upload(
    anne.token,
    "data.pdf",
    "%PDF-1.4\nno model reads this\n%%EOF\n",
  );
  const first = await say(anne.token, { agentId, files: [file] });
  expect(first.body).toMatchObject({
    content: expect.stringMatching(/: 1 .*data\.pdf/) as string,
  });
  const second = await say(anne.token, { conversationId: first.body.conversationId });
  expect(second.body["content"]).toMatch(/: 1 .*data\.pdf/);
  await vi.waitFor(() => expect(at.langflow.state.files.size).toBe(0), 90_000);
  await core("DELETE", `/documents/${file}`, { token: anne.token });
  expect(
    (await say(anne.token, { conversationId: first.body.conversationId })).body["content"],
  ).toMatch(/: 0/);
});

test("a flow that fails, breaks off or is silent has its own error, without keys from its message", async () => {
  const anne = await person();
  const fails = await say(anne.token, {
    agentId: await newAgent(anne.token, await at.newFlow(anne.token, "fails")),
  });
  expect(fails.body).toMatchObject({ code: "flow_failed" });
  expect(fails.text).not.toContain("sk-planted");
  const cut = await say(anne.token, {
    agentId: await newAgent(anne.token, await at.newFlow(anne.token, "cut")),
  });
  expect(cut.body).toMatchObject({ code: "flow_cut" });
  const silent = await say(anne.token, {
    agentId: await newAgent(anne.token, await at.newFlow(anne.token, "silent")),
  });
  expect([silent.status, silent.body["code"]]).toEqual([502, "reply_empty"]);
});

test("an agent whose flow was deleted says so", async () => {
  const anne = await person();
  const flowId = await at.newFlow(anne.token);
  const agentId = await newAgent(anne.token, flowId);
  at.langflow.state.flows = at.langflow.state.flows.filter(({ id }) => id !== flowId);
  expect((await say(anne.token, { agentId })).body).toMatchObject({
    code: "flow_not_found",
  });
});

test("an automation rule is refused an agent whose flow its creator may not run", async () => {
  const anne = await person();
  const bert = await person();
  const flowId = await at.newFlow(anne.token);
  await at.grant(bert.id, flowId);
  const agentId = await newAgent(bert.token, flowId);
  const rules = askBelow(() => at.parlance, "/api/automations");
  const rule = { name: "Rule", type: "text/plain", agents: [agentId] };
  const make = () => rules("POST", "", { token: bert.token, body: rule });
  expect((await make()).status).toBe(201);
  await at.revoke({ userIds: [bert.id], flowId });
  expect(await make()).toMatchObject({ status: 400, body: { code: "agents_invalid" } });
});

test("flows that were deleted at the provider disappear from the lists of their users", async () => {
  const anne = await person();
  const bert = await person();
  const [kept, deleted] = [await at.newFlow(anne.token), await at.newFlow(anne.token)];
  for (const flowId of [kept, deleted]) await at.grant(bert.id, flowId);
  const listed = async (token: string) => {
    const { items, total } = (await at.flows("GET", "/flows", { token }))
      .body as unknown as {
      items: { id: string }[];
      total: number;
    };
    expect(total).toBe(items.length);
    return items.map(({ id }) => id).toSorted();
  };
  const both = [kept, deleted].toSorted();
  expect([await listed(anne.token), await listed(bert.token)]).toEqual([both, both]);
  at.langflow.state.flows = at.langflow.state.flows.filter(({ id }) => id !== deleted);
  expect([await listed(anne.token), await listed(bert.token)]).toEqual([[kept], [kept]]);
});

test("OpenAI clients can use a workflow agent too", async () => {
  const anne = await person();
  const agentId = await newAgent(anne.token, await at.newFlow(anne.token, "words"));
  const answer = await at.parlance.request("/v1/chat/completions", {
    token: anne.token,
    body: { model: `agent:${agentId}`, messages: [{ role: "user", content: "one two" }] },
  });
  expect(await answer.json()).toMatchObject({
    choices: [{ message: { content: "one two" } }],
  });
});

test("a flow is a tool of other agents for users who may run it, after their approval", async () => {
  const anne = await person();
  const bert = await person();
  const flowId = await at.newFlow(anne.token);
  const tool = `flow_${flowId}`;
  provider.requests.length = 0;
  provider.answer((index, { messages }) =>
    messages.at(-1)?.role === "tool"
      ? { text: [`it said ${String(messages.at(-1)?.content)}`] }
      : { toolCalls: [{ name: tool, arguments: { input: `echo ${index}` } }] },
  );
  const asked = await say(anne.token, { tools: [tool] });
  expect(asked.body["finishReason"]).toBe("approval");
  const path = `/api/v1/conversation/${asked.body.conversationId}`;
  const { messages } = (await (
    await at.parlance.request(path, { token: anne.token })
  ).json()) as {
    messages: { waiting: { toolCallId: string }[] }[];
  };
  const toolCallId = messages.at(-1)?.waiting[0]?.toolCallId;
  const decision = { toolCallId, decision: "always" };
  await at.parlance.request(`${path}/approve`, { token: anne.token, body: decision });
  const events = await eventsOf(
    await at.parlance.request(`${path}/stream`, { token: anne.token }),
  );
  expect(events.at(-1)?.data["content"]).toMatch(/^it said echo \d/);
  const called = await say(anne.token, { tools: [tool] });
  expect(called.body["content"]).toMatch(/^it said echo \d/);
  expect(called.body["toolCalls"]).toMatchObject([{ name: tool, isError: false }]);
  expect(JSON.stringify(provider.requests.map(({ tools }) => tools))).toContain(
    "Runs the flow",
  );

  provider.requests.length = 0;
  provider.answer(() => ({ text: ["nothing to call"] }));
  expect((await say(bert.token, { tools: [tool] })).body["content"]).toBe(
    "nothing to call",
  );
  expect(JSON.stringify(provider.requests.map(({ tools }) => tools ?? []))).not.toContain(
    tool,
  );
});
