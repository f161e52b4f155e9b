import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newPerson } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { askStateless, FOLLOWS_TASKS, META_PREFIX } from "./support/stateless-mcp.ts";
import { done, startTaskServer, type TaskServer } from "./support/task-server.ts";

/** Tasks of tool servers, for clients of /mcp that follow them, and for those that do not. */
let tools: TaskServer;
let parlance: TestServer;
let ada: string;
let bob: string;

beforeAll(async () => {
  tools = await startTaskServer({
    long: [{ status: "working", statusMessage: "half done" }, done("the result")],
    slow: [
      { status: "working", statusMessage: "begun" },
      { status: "working", statusMessage: "begun" },
      { status: "working", statusMessage: "half done" },
      done("slowly"),
    ],
  });
  parlance = await startTestServer({
    MCP_SERVERS: JSON.stringify([{ name: "one", url: tools.url }]),
    MCP_SERVERS_POLL: "200",
  });
  await vi.waitFor(async () => {
    const listed = await parlance.request("/api/v1/tools?query=long");
    expect(await listed.json()).toMatchObject({ total: 1 });
  }, 90_000);
  ada = await keyOf(parlance.token);
  bob = await keyOf((await newPerson(parlance, "bob")).token);
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
});

async function keyOf(token: string): Promise<string> {
  const body = { name: "client", scopes: ["tool:*"] };
  const made = await parlance.request("/api/v1/auth/api-keys", { body, token });
  return ((await made.json()) as { key: string }).key;
}

/** Listens, and reads all messages until the stream ends. */
async function listen(
  notifications: object,
  key = ada,
  capabilities: object = FOLLOWS_TASKS,
) {
  const asked = { key, params: { notifications }, capabilities };
  const response = await askStateless(`${parlance.url}/mcp`, "subscriptions/listen", asked);
  return (await response.text())
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => JSON.parse(line.slice(5)) as { method?: string; params?: object });
}

interface Answer {
  result?: Record<string, unknown> & { taskId?: string };
  error?: { code: number; message: string; data?: unknown };
}

async function send(
  method: string,
  params: Record<string, unknown>,
  { capabilities = FOLLOWS_TASKS as object, key = ada } = {},
): Promise<Answer> {
  const asked = { key, params, capabilities };
  const response = await askStateless(`${parlance.url}/mcp`, method, asked);
  const text = await response.text();
  const data = text.split("\n").findLast((line) => line.startsWith("data:"));
  return JSON.parse(data?.slice(5) ?? text) as Answer;
}

test("a client that follows tasks gets one, and asks for it by a name that is its own", async () => {
  expect((await send("server/discover", {})).result?.["capabilities"]).toMatchObject(
    FOLLOWS_TASKS,
  );
  const { result: task } = await send("tools/call", { name: "long", arguments: {} });
  expect(task).toMatchObject({ resultType: "task", status: "working", pollIntervalMs: 1 });
  const taskId = task?.taskId ?? "";
  expect(taskId).not.toContain("task of long");
  expect((await send("tasks/get", { taskId })).result).toMatchObject({
    resultType: "complete",
    taskId,
    status: "working",
    statusMessage: "half done",
  });
  expect((await send("tasks/get", { taskId })).result).toMatchObject({
    status: "completed",
    result: { content: [{ text: "the result" }] },
  });
  const inputResponses = { who: { action: "decline" } };
  expect((await send("tasks/update", { taskId, inputResponses })).error).toBeUndefined();
  expect(tools.updates).toEqual([{ taskId: "task of long", inputResponses }]);
  expect((await send("tasks/cancel", { taskId })).error).toBeUndefined();
  expect(tools.cancelled).toEqual(["task of long"]);
});

test("another user's task, a made-up one, and a client without the extension are refused", async () => {
  const { result: task } = await send("tools/call", { name: "long", arguments: {} });
  const taskId = task?.taskId ?? "";
  const before = tools.seen.length;
  for (const asked of [
    send("tasks/get", { taskId }, { key: bob }),
    send("tasks/cancel", { taskId: "task of long" }),
    send("tasks/get", { taskId: `${taskId}x` }),
    send("tasks/get", { taskId: "x".repeat(5_000) }),
  ])
    expect((await asked).error?.code).toBe(-32_602);
  expect((await send("tasks/get", { taskId }, { capabilities: {} })).error).toMatchObject({
    code: -32_021,
    data: { requiredCapabilities: FOLLOWS_TASKS },
  });
  expect(tools.seen.length).toBe(before);
});

test("a client that does not follow tasks gets the result of the call", async () => {
  const call = send("tools/call", { name: "long", arguments: {} }, { capabilities: {} });
  expect((await call).result).toMatchObject({
    resultType: "complete",
    content: [{ text: "the result" }],
  });
});

test("a client that listens hears each new state of its tasks, until they end", async () => {
  const { result: task } = await send("tools/call", { name: "slow", arguments: {} });
  const taskId = task?.taskId ?? "";
  const _meta = { [`${META_PREFIX}subscriptionId`]: "one" };
  expect(await listen({ taskIds: [taskId, "made up"] })).toMatchObject([
    {
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { taskIds: [taskId] }, _meta },
    },
    {
      method: "notifications/tasks",
      params: { taskId, status: "working", statusMessage: "begun", _meta },
    },
    { method: "notifications/tasks", params: { taskId, statusMessage: "half done" } },
    {
      method: "notifications/tasks",
      params: { taskId, status: "completed", result: { content: [{ text: "slowly" }] } },
    },
    { id: "one", result: { resultType: "complete" } },
  ]);
  expect(JSON.stringify(await listen({ taskIds: [taskId] }))).not.toContain("task of slow");
});

test("nobody hears of another's task, nor does a client that knows no tasks", async () => {
  const { result: task } = await send("tools/call", { name: "long", arguments: {} });
  const taskIds = [task?.taskId ?? ""];
  const before = tools.seen.length;
  for (const heard of [
    await listen({ taskIds }, bob),
    await listen({ taskIds }, ada, {}),
  ]) {
    expect(JSON.stringify(heard)).not.toContain("notifications/tasks");
    expect(JSON.stringify(heard)).not.toContain(taskIds[0]);
  }
  expect(tools.seen.length).toBe(before);
});
