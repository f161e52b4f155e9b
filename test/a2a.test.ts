import {
  type AgentCard,
  Role,
  type StreamResponse,
  type Task,
  TaskState,
} from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newPerson } from "./support/ask.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";
import { startTestServer, type TestServer } from "./support/server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";

/** Tests with the unchanged official client. */
let parlance: TestServer;
let provider: ScriptedProvider;
let tools: ToolServer;
let agentId: string;
let token: string;
let client: Client;
beforeAll(async () => {
  provider = await startScriptedProvider();
  tools = await startToolServer({
    erase: { run: () => text("erased"), annotations: { destructiveHint: true } },
  });
  parlance = await startTestServer({
    ...settingsOf(provider),
    MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
    MCP_SERVERS_POLL: "200",
  });
  ({ token } = await newPerson(parlance, "ann"));
  const made = await parlance.request("/api/v1/agent", {
    token,
    body: {
      name: "Helper",
      description: "It helps",
      tools: ["erase"],
      starters: ["Hello"],
    },
  });
  ({ id: agentId } = (await made.json()) as { id: string });
  client = await connect(token);
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** A client of the agent, as its user's program makes one from the address alone. */
function connect(bearer: string, isLegacy = false, id = agentId): Promise<Client> {
  const fetchImpl: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${bearer}`);
    if (isLegacy) headers.set("a2a-version", "0.3");
    return fetch(url, { ...init, headers });
  };
  const compat = isLegacy ? { legacyCompat: { enabled: true } } : {};
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl, ...compat })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl, ...compat }),
  });
  return factory.createFromUrl(`${parlance.url}/a2a/${id}/`, ".well-known/agent-card.json");
}

const message = (words: string, ids: { contextId?: string; taskId?: string } = {}) => ({
  messageId: crypto.randomUUID(),
  contextId: "",
  taskId: "",
  role: Role.ROLE_USER,
  parts: [
    {
      content: { $case: "text" as const, value: words },
      metadata: undefined,
      filename: "",
      mediaType: "",
    },
  ],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
  ...ids,
});
const ask = (words: string, ids = {}, configuration: object = {}) => ({
  tenant: "",
  message: message(words, ids),
  configuration: {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: false,
    ...configuration,
  },
  metadata: undefined,
});
const send = async (...given: Parameters<typeof ask>) =>
  (await client.sendMessage(ask(...given))) as Task;
const answerOf = ({ artifacts }: Task) =>
  artifacts.flatMap(({ parts }) =>
    parts.map(({ content }) => (content?.$case === "text" ? content.value : "")),
  );

test("a message becomes a task that is done, in a context that goes on and is a conversation", async () => {
  provider.answer((_, { messages }) => ({
    text: [`heard ${messages.filter(({ role }) => role === "user").length}`],
  }));
  const first = await send("One");
  expect(first.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(answerOf(first)).toEqual(["heard 1"]);
  const second = await send("Two", { contextId: first.contextId });
  expect(second.contextId).toBe(first.contextId);
  expect(answerOf(second)).toEqual(["heard 2"]);
  const conversation = await parlance.request(`/api/v1/conversation/${first.contextId}`, {
    token,
  });
  expect(conversation.status).toBe(200);
  expect(await client.getTask({ tenant: "", id: first.id })).toMatchObject({
    id: first.id,
    history: [{ parts: [{ content: { value: "One" } }] }],
  });
});

test("a message that is sent twice is one task", async () => {
  const asked = ask("Once");
  const one = (await client.sendMessage(asked)) as Task;
  const again = (await client.sendMessage(asked)) as Task;
  expect(again.id).toBe(one.id);
});

test("a stream gives the task, what is added to its answer, and its end", async () => {
  provider.answer(() => ({ text: ["Good ", "morning"], delayMs: 20 }));
  const events: StreamResponse[] = [];
  for await (const event of client.sendMessageStream(ask("Hello"))) events.push(event);
  const kinds = events.map(({ payload }) => payload?.$case);
  expect(kinds[0]).toBe("task");
  expect(kinds.at(-1)).toBe("statusUpdate");
  const words = events.flatMap(({ payload }) =>
    payload?.$case === "artifactUpdate"
      ? (payload.value.artifact?.parts ?? []).map(({ content }) =>
          content?.$case === "text" ? content.value : "",
        )
      : [],
  );
  expect(words.join("")).toBe("Good morning");
  expect(events.at(-1)?.payload).toMatchObject({
    value: { status: { state: TaskState.TASK_STATE_COMPLETED } },
  });
});

test("a task that runs is followed by others from its beginning, and cancelled", async () => {
  provider.answer(() => ({ text: ["a", "b"], fault: "stall", faultAfter: 2 }));
  const task = await send("Work", {}, { returnImmediately: true });
  expect(task.status?.state).toBe(TaskState.TASK_STATE_WORKING);
  const seen: string[] = [];
  const following = (async () => {
    for await (const { payload } of client.resubscribeTask({ tenant: "", id: task.id }))
      if (payload) seen.push(payload.$case);
  })();
  await expect.poll(() => seen).toContain("artifactUpdate");
  const cancelled = await client.cancelTask({
    tenant: "",
    id: task.id,
    metadata: undefined,
  });
  expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  await following;
  expect(seen.at(-1)).toBe("statusUpdate");
  await expect(
    client.cancelTask({ tenant: "", id: task.id, metadata: undefined }),
  ).rejects.toMatchObject({ name: expect.stringContaining("TaskNotCancelable") });
  await expect(async () => {
    for await (const _ of client.resubscribeTask({ tenant: "", id: task.id }));
  }).rejects.toThrow("ended");
});

test("a call that needs a decision makes the task wait for it", async () => {
  provider.answer((_, { messages }) =>
    messages.at(-1)?.role === "tool"
      ? { text: ["It is gone."] }
      : { toolCalls: [{ id: "call_1", name: "erase", arguments: {} }] },
  );
  const task = await send("Erase it");
  expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  expect(JSON.stringify(task.status?.message)).toContain("erase");
  await expect(
    send("perhaps", { taskId: task.id, contextId: task.contextId }),
  ).rejects.toThrow("approve");
  const done = await send("Approve", { taskId: task.id, contextId: task.contextId });
  expect(done.id).toBe(task.id);
  expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(answerOf(done)).toEqual(["It is gone."]);
  await expect(send("more", { taskId: task.id })).rejects.toThrow("waits for nothing");
});

test("what fails says why", async () => {
  provider.answer(() => ({ status: 401 }));
  const task = await send("Fail");
  expect(task.status?.state).toBe(TaskState.TASK_STATE_FAILED);
  expect(JSON.stringify(task.status?.message)).toMatch(/key|credential/i);
});

test("tasks are listed page by page, by context and by state", async () => {
  provider.answer(() => ({ text: ["ok"] }));
  const { contextId } = await send("First");
  for (const words of ["Second", "Third"]) await send(words, { contextId });
  const list = (more: object) =>
    client.listTasks({
      tenant: "",
      contextId,
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: "",
      statusTimestampAfter: undefined,
      includeArtifacts: true,
      ...more,
    });
  const page = await list({ pageSize: 2 });
  expect([page.tasks.length, page.totalSize]).toEqual([2, 3]);
  const rest = await list({ pageSize: 2, pageToken: page.nextPageToken });
  expect([rest.tasks.length, rest.nextPageToken]).toEqual([1, ""]);
  expect(new Set([...page.tasks, ...rest.tasks].map(({ id }) => id)).size).toBe(3);
  expect((await list({ status: TaskState.TASK_STATE_FAILED })).tasks).toEqual([]);
  expect((await list({ status: TaskState.TASK_STATE_COMPLETED })).totalSize).toBe(3);
  await expect(list({ pageToken: "' or 1=1" })).rejects.toThrow("pageToken");
});

test("an agent and its tasks are for those alone who may use it", async () => {
  const mine = await send("Mine");
  const { token: others } = await newPerson(parlance, "ben");
  const foreign = await parlance.request(`/a2a/${agentId}/.well-known/agent-card.json`, {
    token: others,
  });
  expect(foreign.status).toBe(404);
  const own = await parlance.request("/api/v1/agent", {
    token: others,
    body: { name: "Own" },
  });
  const { id } = (await own.json()) as { id: string };
  const ben = await connect(others, false, id);
  await expect(ben.getTask({ tenant: "", id: mine.id })).rejects.toThrow("no task");
  await expect(ben.sendMessage(ask("Spy", { contextId: mine.contextId }))).rejects.toThrow(
    "no such conversation",
  );
  await expect(ben.sendMessage(ask("Spy", { taskId: mine.id }))).rejects.toThrow("no task");
});

test("a client of 0.3 is answered in its words", async () => {
  provider.answer(() => ({ text: ["as before"] }));
  const older = await connect(token, true);
  const task = (await older.sendMessage(ask("Hello"))) as Task;
  expect(answerOf(task)).toEqual(["as before"]);
  const kinds: (string | undefined)[] = [];
  for await (const { payload } of older.sendMessageStream(ask("Hello again")))
    kinds.push(payload?.$case);
  expect([kinds[0], kinds.at(-1)]).toEqual(["task", "statusUpdate"]);
});

test("what is no request of the protocol is refused in its form", async () => {
  const rpc = async (body: unknown, version = "1.0") => {
    const answer = await parlance.request(`/a2a/${agentId}`, {
      token,
      body,
      headers: { "a2a-version": version },
    });
    return (await answer.json()) as { error: { code: number } };
  };
  const call = (method: string, params: object) => ({
    jsonrpc: "2.0",
    id: 1,
    method,
    params,
  });
  expect((await rpc(call("NoSuchMethod", {}))).error.code).toBe(-32_601);
  expect((await rpc({ method: "GetTask" })).error.code).toBe(-32_602);
  expect((await rpc(call("GetTask", { id: "x" }))).error.code).toBe(-32_001);
  expect((await rpc(call("GetTask", { id: "x" }), "9.9")).error.code).toBe(-32_009);
  const file = {
    messageId: "1",
    role: "ROLE_USER",
    parts: [{ url: "http://127.0.0.1/secret" }],
  };
  expect((await rpc(call("SendMessage", { message: file }))).error.code).toBe(-32_005);
  expect((await rpc(call("SendMessage", {}))).error.code).toBeLessThan(0);
  const card = await parlance.request(`/a2a/${agentId}/.well-known/agent-card.json`, {
    token,
  });
  expect((await card.json()) as AgentCard).toMatchObject({
    name: "Helper",
    supportedInterfaces: [{ protocolVersion: "1.0" }, { protocolVersion: "0.3" }],
  });
});

const filePart = (name: string, mediaType: string, value: Buffer) => ({
  content: { $case: "raw" as const, value },
  metadata: undefined,
  filename: name,
  mediaType,
});

test("files of a message are read, and pictures are refused by name", async () => {
  provider.answer(() => ({ text: ["Noon."] }));
  const asked = ask("When?");
  asked.message.parts.push(
    filePart("times.txt", "text/plain", Buffer.from("The boat leaves at noon.")) as never, // of another case
  );
  const task = (await client.sendMessage(asked)) as Task;
  expect(answerOf(task)).toEqual(["Noon."]);
  const said = JSON.stringify(provider.turns().at(-1)?.messages);
  expect(said).toContain("times.txt");
  expect(said).toContain("The boat leaves at noon.");
  const shown = ask("What?");
  shown.message.parts.push(filePart("a.png", "image/png", Buffer.from("x")) as never); // of another case
  await expect(client.sendMessage(shown)).rejects.toThrow("Upload pictures");
  const hostile = ask("What?");
  hostile.message.parts.push(
    filePart("a", "text/plain;base64,x\r\n", Buffer.from("%PDF-1.7 broken")) as never, // of another case
  );
  await expect(client.sendMessage(hostile)).rejects.toThrow();
});

test("files in the results of tools are artifacts beside the answer", async () => {
  const PIXEL =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";
  tools.tools["draw"] = {
    run: () => ({ content: [{ type: "image", data: PIXEL, mimeType: "image/png" }] }),
    annotations: { readOnlyHint: true },
  };
  await parlance.request("/mcp/v1/refresh", { method: "POST" });
  await vi.waitFor(async () => {
    const listed = await parlance.request("/api/v1/tools?query=draw");
    expect(await listed.json()).toMatchObject({ total: 1 });
  }, 30_000);
  const body = { name: "Painter", tools: ["draw"] };
  const made = await parlance.request("/api/v1/agent", { token, body });
  const painter = await connect(token, false, ((await made.json()) as { id: string }).id);
  const draws = (_: number, { messages }: { messages: { role: string }[] }) =>
    messages.some(({ role }) => role === "tool")
      ? { text: ["Here."] }
      : { toolCalls: [{ name: "draw", arguments: {} }] };
  provider.answer(draws);
  const task = (await painter.sendMessage(ask("Draw"))) as Task;
  expect(task.artifacts.map(({ artifactId }) => artifactId)).toEqual(["answer", "file-1"]);
  const [part] = task.artifacts[1]?.parts ?? [];
  expect(part).toMatchObject({ mediaType: "image/png", content: { $case: "raw" } });
  const streamed: string[] = [];
  for await (const { payload } of painter.sendMessageStream(ask("Draw again")))
    if (payload?.$case === "artifactUpdate")
      streamed.push(payload.value.artifact?.artifactId ?? "");
  expect(streamed.at(-1)).toBe("file-1");
});
