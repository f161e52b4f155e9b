import { expect, test } from "vitest";
import { held } from "../../../test/support/held.ts";
import type { Message } from "../completion/contract.ts";
import type { ListedTool } from "../tool-gateway/contract.ts";
import type { RunRequest } from "./contract.ts";
import { divideCalls } from "./ready-calls.ts";

const tool = (name: string, more: Partial<ListedTool> = {}): ListedTool => ({
  name,
  description: "",
  inputSchema: {},
  server: "s",
  fingerprint: "1",
  ...more,
});
const OPEN = { annotations: { openWorldHint: true } };
const TOOLS = [
  tool("readPage", { ...OPEN, effect: "read_only" }),
  tool("readFile", { annotations: { openWorldHint: false }, effect: "read_only" }),
  tool("readSilently", { effect: "read_only" }),
  tool("pay", { effect: "destructive" }),
  tool("post", { ...OPEN, effect: "destructive" }),
];
const ALLOWED = TOOLS.map(({ server, name }) => ({ server, name, fingerprint: "1" }));

const question: Message = { role: "user", content: "go" };
const asks = (name: string): Message => ({
  role: "assistant",
  content: "",
  toolCalls: [{ type: "tool_call", id: name, name, arguments: {} }],
});
const answers = (name: string): Message => ({
  role: "tool",
  content: "…",
  toolCallId: name,
});

/** Which call of the turn waits, and why. */
function waitsFor(name: string, read: Message[], more: Partial<RunRequest> = {}) {
  const request = { approval: "destructive", allowedTools: ALLOWED, ...more } as RunRequest;
  const calls = [{ type: "tool_call" as const, id: "now", name, arguments: {} }];
  const { ready, waiting } = divideCalls({
    calls,
    tools: TOOLS,
    request,
    read: [question, ...read],
    labels: [],
    decisions: [],
  });
  expect(ready.length + waiting.length).toBe(1);
  return waiting.map(({ because }) => because ?? "not_allowed");
}

test("a tool that the user allowed runs, until the run has read the open world", () => {
  expect(waitsFor("pay", [])).toEqual([]);
  expect(waitsFor("pay", [asks("readFile"), answers("readFile")])).toEqual([]);
  const page = [asks("readPage"), answers("readPage")];
  expect(waitsFor("pay", page)).toEqual(["open_world"]);
  expect(waitsFor("pay", [], { hasReadOpenWorld: true })).toEqual(["open_world"]);
  held("open-world", 2);
});

test("a tool that does not say, or is not believed, that it stays inside counts as the open world", () => {
  const silent = [asks("readSilently"), answers("readSilently")];
  expect(waitsFor("pay", silent)).toEqual(["open_world"]);
  held("open-world");
});

test("what is asked for beside a page was decided before the page was read", () => {
  expect(waitsFor("pay", [asks("readPage")])).toEqual([]);
});

test("what only reads runs, also after the open world", () => {
  const page = [asks("readPage"), answers("readPage")];
  expect(waitsFor("readFile", page)).toEqual([]);
  expect(waitsFor("readPage", page)).toEqual([]);
});

test("a tool's own answers do not make it ask again", () => {
  const own = [asks("post"), answers("post")];
  expect(waitsFor("post", own)).toEqual([]);
  expect(waitsFor("pay", own)).toEqual(["open_world"]);
  held("open-world");
});

test("a tool that the user has not allowed waits for that reason", () => {
  const page = [asks("readPage"), answers("readPage")];
  expect(waitsFor("pay", page, { allowedTools: [] })).toEqual(["not_allowed"]);
  held("open-world");
});

test("whoever lets every call run is not asked, and whoever wants to see each is", () => {
  const page = [asks("readPage"), answers("readPage")];
  expect(waitsFor("pay", page, { approval: "never" })).toEqual([]);
  expect(waitsFor("readFile", [], { approval: "always" })).toEqual(["not_allowed"]);
});
