import { expect, test, vi } from "vitest";
import { entry, gatewaysForTests } from "../../../test/support/gateways.ts";
import { done, startTaskServer } from "../../../test/support/task-server.ts";
import type { Gateway } from "./gateway.ts";
import type { CallOptions } from "./session-requests.ts";

/** Calls that a server of 2026-07-28 answers with a task. */
const gateways = gatewaysForTests();
const PATIENT = { callTimeoutMs: 90_000 };
const call = (gateway: Gateway, tool: string, options: Partial<CallOptions> = {}) =>
  gateway.call(
    tool,
    {},
    { userId: "ada", signal: new AbortController().signal, ...options },
  );
const question = {
  method: "elicitation/create",
  params: {
    mode: "form",
    message: "Who?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } } },
  },
};
const asks = { status: "input_required", inputRequests: { who: question } };

test("a call that becomes a task is followed to its result, and its states are progress", async () => {
  await using server = await startTaskServer({
    long: [
      { status: "working", statusMessage: "half done" },
      { status: "working" },
      done("the result"),
    ],
  });
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  const notices: unknown[] = [];
  const result = await call(gateway, "long", { onNotice: (one) => notices.push(one) });
  expect(result).toMatchObject({ content: [{ type: "text", text: "the result" }] });
  expect(notices).toMatchObject([
    { method: "notifications/progress", params: { progress: 1, message: "half done" } },
    { params: { progress: 2 } },
  ]);
  expect(server.declared()).toMatchObject({
    extensions: { "io.modelcontextprotocol/tasks": {} },
  });
  const polled = server.seen.find(({ method }) => method === "tasks/get");
  expect(polled?.headers.get("mcp-name")).toBe("task of long");
});

test.each<[string, object, object]>([
  [
    "failed",
    { status: "failed", error: { code: -32_603, message: "rate limit" } },
    { isError: true, content: [{ text: "rate limit" }] },
  ],
  ["was cancelled", { status: "cancelled" }, { isError: true }],
  [
    "ended with an error of the tool",
    {
      status: "completed",
      result: { content: [{ type: "text", text: "no" }], isError: true },
    },
    { isError: true, content: [{ text: "no" }] },
  ],
])("a task that %s is a result for the model", async (_, state, expected) => {
  await using server = await startTaskServer({ long: [{ ...state }] });
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  expect(await call(gateway, "long")).toMatchObject(expected);
});

test.each<[string, object]>([
  ["of no known status", { status: "asleep" }],
  ["whose result is none", { status: "completed", result: 7 }],
  [
    "whose result is a task",
    { status: "completed", result: { resultType: "task", taskId: "x" } },
  ],
])("a task %s fails by name, and is cancelled at its server", async (_, state) => {
  await using server = await startTaskServer({ long: [{ ...state }] });
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  await expect(call(gateway, "long")).rejects.toMatchObject({ code: "tool_failed" });
  await vi.waitFor(() => expect(server.cancelled).toEqual(["task of long"]));
});

test("what a task asks is asked once of a caller that can answer, and of nobody else", async () => {
  await using server = await startTaskServer({ long: [asks, asks, done("Hello, Ada")] });
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  const ask = vi.fn(async () => ({
    result: { action: "accept", content: { name: "Ada" } },
  }));
  const questions = { capabilities: { elicitation: {} }, ask };
  expect(await call(gateway, "long", { questions })).toMatchObject({
    content: [{ text: "Hello, Ada" }],
  });
  expect(ask).toHaveBeenCalledOnce();
  expect(server.updates).toEqual([
    {
      taskId: "task of long",
      inputResponses: { who: { action: "accept", content: { name: "Ada" } } },
    },
  ]);
  await using silent = await startTaskServer({ mute: [asks] });
  await gateway.configure([entry("two", silent)]);
  await expect(call(gateway, "mute")).rejects.toMatchObject({ code: "tool_input_needed" });
  await vi.waitFor(() => expect(silent.cancelled).toEqual(["task of mute"]));
});

test("a caller that leaves cancels the task", async () => {
  await using server = await startTaskServer({ long: [{ status: "working" }] });
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  const leaving = new AbortController();
  const left = call(gateway, "long", { signal: leaving.signal });
  await vi.waitFor(() =>
    expect(server.seen.some(({ method }) => method === "tasks/get")).toBe(true),
  );
  leaving.abort();
  await expect(left).rejects.toThrow();
  await vi.waitFor(() => expect(server.cancelled).toEqual(["task of long"]));
});

/** As long as a server may say; polls alone would take as long. */
const SELDOM = { pollIntervalMs: 15_000, announces: true };
const polls = (server: { seen: { method: string }[] }) =>
  server.seen.filter(({ method }) => method === "tasks/get").length;

test("a task whose server announces it is asked for at once, as its user", async () => {
  await using server = await startTaskServer(
    { long: [{ status: "working" }, { status: "working" }, done("the result")] },
    SELDOM,
  );
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  const result = call(gateway, "long");
  // once it hears of the task, which may have ended before
  await vi.waitFor(() => expect(polls(server)).toBe(1), { timeout: 10_000 });
  const [stream] = server.heard;
  expect(stream?.taskIds).toEqual(["task of long"]);
  stream?.announce({ taskId: "another task", status: "completed" });
  // what it says there is not believed
  stream?.announce({ taskId: "task of long", status: "completed", result: { forged: 1 } });
  await vi.waitFor(() => expect(polls(server)).toBe(2), { timeout: 10_000 });
  stream?.announce({ taskId: "task of long", status: "completed" });
  expect(await result).toMatchObject({ content: [{ text: "the result" }] });
  expect(polls(server)).toBe(3);
  await vi.waitFor(() => expect(stream?.isOpen()).toBe(false), { timeout: 10_000 });
});

test("a server that announces without end is asked no more often than any", async () => {
  await using server = await startTaskServer({ long: [{ status: "working" }] }, SELDOM);
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  const leaving = new AbortController();
  const left = call(gateway, "long", { signal: leaving.signal }).catch(() => {});
  await vi.waitFor(() => expect(server.heard).toHaveLength(1), { timeout: 10_000 });
  const startedAt = performance.now();
  const flood = setInterval(
    () => server.heard[0]?.announce({ taskId: "task of long", status: "working" }),
    2,
  );
  await vi.waitFor(() => expect(polls(server)).toBeGreaterThan(3), { timeout: 30_000 });
  clearInterval(flood);
  // the first may have come before
  expect(polls(server) - 2).toBeLessThanOrEqual((performance.now() - startedAt) / 200);
  leaving.abort();
  await left;
  await vi.waitFor(() => expect(server.heard[0]?.isOpen()).toBe(false), {
    timeout: 10_000,
  });
});

test("a server that announces no tasks is asked as before, and not for streams each time", async () => {
  await using server = await startTaskServer(
    { long: [done("a")], other: [done("b")] },
    { pollIntervalMs: 1_000 },
  );
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  expect(await call(gateway, "long")).toMatchObject({ content: [{ text: "a" }] });
  expect(await call(gateway, "other")).toMatchObject({ content: [{ text: "b" }] });
  const streams = server.seen.filter(
    ({ method, params }) =>
      method === "subscriptions/listen" && JSON.stringify(params).includes("task of"),
  );
  expect(streams).toHaveLength(1);
});
