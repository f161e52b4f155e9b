import { afterAll, beforeAll, expect, test } from "vitest";
import { askBelow } from "./support/ask.ts";
import { eventsOf, type TestServer } from "./support/server.ts";
import type { ScriptedProvider } from "./support/scripted-provider.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";

let server: ScriptedServer;
let parlance: TestServer;
let bob: string;
let provider: ScriptedProvider;
const NOBODY = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
beforeAll(async () => {
  server = await startScriptedServer();
  ({ parlance, provider, bob } = server);
});
afterAll(() => server[Symbol.asyncDispose]());

const ask = askBelow(() => parlance, "/api/v1/canvas");
const make = async (body: object = {}) =>
  (await ask("POST", "", { body: { title: "Plan", content: "one\ntwo\n", ...body } })).body;

test("a model writes and revises a canvas where permitted, with events, and keeps the user's own changes", async () => {
  const turns: ReturnType<Parameters<ScriptedProvider["answer"]>[0]>[] = [
    {
      toolCalls: [
        {
          name: "create_canvas",
          arguments: { title: "Letter", content: "Dear Ada,\nhello." },
        },
      ],
    },
    { text: ["I wrote it."] },
  ];
  let canvasId = "";
  provider.answer((_, { messages }) =>
    String(messages[0]?.content).startsWith("Write a title")
      ? { text: ["Letter"] }
      : (turns.shift() ?? {}),
  );
  const say = async (more: object) => {
    const response = await parlance.request("/api/v1/conversation", {
      body: {
        content: "a letter",
        tools: ["create_canvas", "update_canvas", "read_canvas"],
        ...more,
      },
    });
    return eventsOf(response);
  };
  const events = await say({});
  expect(events.map(({ event }) => event).filter((event) => event !== "title")).toEqual([
    "conversation",
    "tool_call",
    "canvas",
    "tool_result",
    "text_delta",
    "done",
  ]);
  canvasId = String(events.find(({ event }) => event === "canvas")?.data["canvasId"]);
  expect(events.at(-1)?.data).toMatchObject({
    finishReason: "stop",
    content: "I wrote it.",
    iterations: 2,
  });
  const conversationId = String(events[0]?.data["conversationId"]);
  expect(
    (await ask("GET", `?conversationId=${conversationId}`)).body.items.map(({ id }) => id),
  ).toEqual([canvasId]);

  await ask("POST", `/${canvasId}/versions`, {
    body: { baseVersion: 1, content: "Dear Ada,\nhello from Bob." },
  });
  turns.push(
    {
      toolCalls: [
        { name: "read_canvas", arguments: { canvasId } },
        { name: "update_canvas", arguments: { canvasId: NOBODY, content: "x" } },
      ],
    },
    {
      toolCalls: [
        {
          name: "update_canvas",
          arguments: { canvasId, edits: [{ find: "hello", replace: "greetings" }] },
        },
      ],
    },
    {
      toolCalls: [
        {
          name: "update_canvas",
          arguments: { canvasId, edits: [{ find: "absent", replace: "" }] },
        },
        { name: "create_canvas", arguments: {} },
      ],
    },
    { text: ["Done."] },
  );
  const more = await say({ conversationId });
  const results = more
    .filter(({ event }) => event === "tool_result")
    .map(
      ({ data }) => `${String(data["name"])}: ${data["isError"] ? "fails" : "succeeds"}`,
    );
  // the calls of a turn run concurrently, and their results arrive in any order
  expect(results.toSorted()).toEqual([
    "create_canvas: fails",
    "read_canvas: succeeds",
    "update_canvas: fails",
    "update_canvas: fails",
    "update_canvas: succeeds",
  ]);
  expect((await ask("GET", `/${canvasId}`)).body).toMatchObject({
    version: 3,
    content: "Dear Ada,\ngreetings from Bob.",
  });
  // what a reply wrote is stored with it, and the versions say who wrote them
  const thread = await parlance.request(`/api/v1/conversation/${conversationId}/messages`);
  const { items } = (await thread.json()) as {
    items: { id: string; canvases: object[] }[];
  };
  expect(items.map(({ canvases }) => canvases)).toEqual([
    [],
    [{ canvasId, version: 1, title: "Letter" }],
    [],
    [{ canvasId, version: 3, title: "Letter" }],
  ]);
  expect((await ask("GET", `/${canvasId}/versions`)).body.items).toMatchObject([
    { version: 3, createdByName: "Administrator", messageId: items[3]?.id },
    { version: 2, messageId: null },
    { version: 1, messageId: items[1]?.id },
  ]);
  // without permission the tools are not offered
  turns.push({ text: ["No tools."] });
  await say({ tools: [] });
  expect(
    provider.requests.at(-1)?.tools ?? provider.requests.at(-2)?.tools,
  ).toBeUndefined();
});

test("a model knows of the open canvas, and may change it even if nothing else permits its tools", async () => {
  const { id } = await make({ title: "Open one" });
  provider.answer((_, { messages }) =>
    messages.at(-1)?.role === "tool"
      ? { text: ["Changed."] }
      : {
          toolCalls: [
            { name: "update_canvas", arguments: { canvasId: id, content: "shorter" } },
          ],
        },
  );
  const before = provider.requests.length;
  await parlance.request("/api/v1/conversation", {
    body: { content: "Make it shorter", canvasId: id, stream: false },
  });
  const [first] = provider.requests.slice(before).filter(({ tools }) => tools);
  expect(String(first?.messages[0]?.content)).toContain(`"Open one"`);
  expect(String(first?.messages[0]?.content)).toContain(id);
  const offered = first?.tools?.map((tool) => tool.function.name);
  expect(offered?.toSorted()).toEqual(["read_canvas", "update_canvas"]);
  expect((await ask("GET", `/${id}`)).body).toMatchObject({
    version: 2,
    content: "shorter",
  });
  const others = await ask("POST", "", {
    token: bob,
    body: { title: "Bob's", content: "" },
  });
  const refused = await parlance.request("/api/v1/conversation", {
    body: { content: "Read it", canvasId: others.body.id },
  });
  expect(((await refused.json()) as { code: string }).code).toBe("canvas_not_found");
});

test("edits that take long to search, or make the text too long, change nothing", async () => {
  const { id } = await make({ title: "Long", content: "a".repeat(900_000) });
  const half = "a".repeat(200_000);
  const hostile = [
    [{ find: `${half}b${half}`, replace: "" }],
    [{ find: "a".repeat(900_000), replace: "b".repeat(1_000_000) + "c" }],
    [
      { find: "a".repeat(900_000), replace: "b" },
      { find: "b", replace: `${half}c${half}`.repeat(2) },
      { find: `c${half}${half}c`, replace: `${half}${half}`.repeat(2) },
    ],
  ];
  for (const edits of hostile) {
    provider.answer((_, { messages }) =>
      messages.at(-1)?.role === "tool"
        ? { text: ["Done."] }
        : { toolCalls: [{ name: "update_canvas", arguments: { canvasId: id, edits } }] },
    );
    const response = await parlance.request("/api/v1/conversation", {
      body: { content: "Edit it", tools: ["update_canvas"], stream: false },
    });
    const { toolCalls } = (await response.json()) as { toolCalls: { isError: boolean }[] };
    expect(toolCalls).toMatchObject([{ isError: true }]);
  }
  expect((await ask("GET", `/${id}`)).body.version).toBe(1);
});
